/** The durable steps of a job, as the host offers them to its guest. Values are JSON texts that the host passes on unparsed. */
import type { CalledKind, HistoryEntry, RecordedStep, StepError } from '#core/durable/step.ts'

/** A recorded step. Its `dueInMs` counts from when the journal was read. */
export type JournalStep = Omit<RecordedStep, 'value'> & Readonly<{ valueJson: string | null }>

export type JournalPage = Readonly<{
  steps: readonly JournalStep[]
  /** Whether more steps follow. */
  hasMore: boolean
}>

/** The part of the journal that the host sends with the run. */
export type Journal = JournalPage &
  Readonly<{
    history: readonly HistoryEntry[]
  }>

type StepHead = Readonly<{
  name: string
  position: number
  /** History since the last call. */
  history: readonly HistoryEntry[]
}>

/** The outcome of a step's function. */
export type StepEnd = StepHead &
  Readonly<{
    tries: number
    /** How long all tries took together, in milliseconds. */
    tookMs: number
    end:
      | Readonly<{ status: 'success'; valueJson: string }>
      | Readonly<{ status: 'failure'; error: StepError }>
      /** The function is retried after `delayMs`. */
      | Readonly<{ status: 'running'; delayMs: number; error: StepError }>
  }>

export type StepBegin = StepHead &
  (
    | Readonly<{ kind: 'sleep'; ms: number }>
    | Readonly<{ kind: 'event'; event: string; key: string | null; timeoutMs: number | null }>
    | Readonly<{
        kind: 'job'
        calls: CalledKind
        target: string
        options: unknown
        inputJson: string
      }>
  )

/** A step that has begun: its deadline, or its result if it has one already. */
export type BegunStep = Pick<JournalStep, 'status' | 'dueInMs' | 'valueJson' | 'error'>

/** Every write is durable when its promise resolves. All methods throw AppError when the attempt no longer holds its job. */
export interface DurableAccess {
  readonly journal: Journal
  /** Steps that follow the given position in the journal. */
  page(after: Readonly<{ position: number; name: string }>): Promise<JournalPage>
  record(step: StepEnd): Promise<void>
  recordHistory(history: readonly HistoryEntry[]): Promise<void>
  begin(step: StepBegin): Promise<BegunStep>
}

/** The journal of a job that has recorded nothing. */
export const EMPTY_JOURNAL: Journal = { steps: [], hasMore: false, history: [] }

/** The end of an attempt that cannot go on: the steps that it waits for, in order, and history that is not recorded yet. */
export type Suspension = Readonly<{ steps: readonly string[]; history: readonly HistoryEntry[] }>
