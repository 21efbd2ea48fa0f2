/** The durable steps of a job, as the host offers them to its guest. Values are JSON texts, which the host passes on unparsed. */
import type { StepError, StepKind, StepStatus } from '#core/durable/step.ts'

/** A recorded step. */
export type JournalStep = Readonly<{
  name: string
  kind: StepKind
  position: number
  status: StepStatus
  tries: number
  isCaught: boolean
  /** Milliseconds from the moment in which it was read. */
  dueInMs: number | null
  valueJson: string | null
  error: StepError | null
}>

export type JournalPage = Readonly<{
  steps: readonly JournalStep[]
  /** Whether more steps follow. */
  hasMore: boolean
}>

/** What goes to the guest with the run. */
export type Journal = JournalPage &
  Readonly<{
    history: readonly HistoryEntry[]
  }>

/** An entry of the guest's own (guest/deliveries.ts): the host only keeps it. */
export type HistoryEntry = number | readonly [number | string] | readonly [number, number]

type StepHead = Readonly<{
  name: string
  position: number
  /** What came to the history since the last call. */
  history: readonly HistoryEntry[]
}>

/** How a function of a step ended. */
export type StepEnd = StepHead &
  Readonly<{
    tries: number
    /** How long the tries took, in milliseconds. */
    tookMs: number
    end:
      | Readonly<{ status: 'success'; valueJson: string }>
      | Readonly<{ status: 'failure'; error: StepError }>
      /** It is tried again in `delayMs`. */
      | Readonly<{ status: 'running'; delayMs: number; error: StepError }>
  }>

export type StepBegin = StepHead &
  (
    | Readonly<{ kind: 'sleep'; ms: number }>
    | Readonly<{ kind: 'event'; event: string; key: string | null; timeoutMs: number | null }>
    | Readonly<{ kind: 'job'; target: string; options: unknown; inputJson: string }>
  )

/** A step that has begun: how long it may take, or what it has come to already. */
export type BegunStep = Pick<JournalStep, 'status' | 'dueInMs' | 'valueJson' | 'error'>

/** Every write is durable when its promise resolves. They throw AppError when the attempt has lost its job. */
export interface DurableAccess {
  readonly journal: Journal
  /** The steps behind a place in the journal. */
  page(after: Readonly<{ position: number; name: string }>): Promise<JournalPage>
  record(step: StepEnd): Promise<void>
  begin(step: StepBegin): Promise<BegunStep>
}

/** A job that has recorded nothing. */
export const EMPTY_JOURNAL: Journal = { steps: [], hasMore: false, history: [] }

/** What ends an attempt that cannot go on: the steps that it waits for, in their order, and history not recorded yet. */
export type Suspension = Readonly<{ steps: readonly string[]; history: readonly HistoryEntry[] }>
