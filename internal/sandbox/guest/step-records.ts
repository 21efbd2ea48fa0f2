/** What the guest records of durable steps, and where. */
import type { RecordedStep, StepError } from '#core/durable/step.ts'
import type { HistoryEntry } from './deliveries.ts'
import type { Page, Place } from './journal.ts'

/** With the history of earlier attempts. */
export type Journal = Page & Readonly<{ history: readonly HistoryEntry[] }>
/** With what came to the history since the last call. */
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
    | Readonly<{ kind: 'job'; target: unknown; input: unknown; options: unknown }>
  )

export type Begun = Pick<RecordedStep, 'status' | 'dueInMs' | 'value' | 'error'>

/** Records at the host. A promise resolves when what it reports is durable. */
export type DurableHost = Readonly<{
  page: (after: Place) => Promise<Page>
  record: (end: StepEnd) => Promise<void>
  begin: (step: StepBegin) => Promise<Begun>
}>

/** The step whose function runs, and its calls of `ctx.run` so far. */
export type StepScope = { readonly name: string; starts: number }
