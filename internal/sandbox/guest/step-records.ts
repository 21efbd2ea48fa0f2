/** The records of durable steps that the guest sends and reads. */
import type { CalledKind, HistoryEntry, RecordedStep, StepError } from '#core/durable/step.ts'
import type { Page, Place } from './journal.ts'

/** The steps and the history of earlier attempts. */
export type Journal = Page & Readonly<{ history: readonly HistoryEntry[] }>
/** The place of a step, and the history since the last call. */
export type Head = Place & Readonly<{ history: readonly HistoryEntry[] }>

export type StepEnd = Head &
  Readonly<{
    tries: number
    tookMs: number
    status: 'success' | 'failure' | 'running'
    /** The result of a success. */
    valueJson?: string
    error?: StepError
    /** Milliseconds until the next try. */
    delayMs?: number
  }>

export type StepBegin = Head &
  (
    | Readonly<{ kind: 'sleep'; ms: number }>
    | Readonly<{ kind: 'event'; event: string; key: string | null; timeoutMs: number | null }>
    | Readonly<{
        kind: 'job'
        calls: CalledKind
        target: unknown
        input: unknown
        options: unknown
      }>
  )

export type Begun = Pick<RecordedStep, 'status' | 'dueInMs' | 'value' | 'error'>

/** Records steps with the host. Each promise resolves when the record is durable. */
export type DurableHost = Readonly<{
  page: (after: Place) => Promise<Page>
  record: (end: StepEnd) => Promise<void>
  recordHistory: (history: readonly HistoryEntry[]) => Promise<void>
  begin: (step: StepBegin) => Promise<Begun>
}>

/** The step whose function is running, and its calls of `ctx.run` so far. */
export type StepScope = { readonly name: string; starts: number }
