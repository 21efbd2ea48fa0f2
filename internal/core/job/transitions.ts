/**
 * The law of a job's life [jobs 2.2]. States are a table; `null` means that the event
 * changes nothing. success, failure and canceled are terminal and immutable.
 */
export const JOB_STATUSES = ['queued', 'running', 'success', 'failure', 'canceled'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

export const TERMINAL_STATUSES = ['success', 'failure', 'canceled'] as const
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number]

export type JobEvent =
  | 'claim'
  | 'succeed'
  | 'fail'
  | 'retry'
  | 'cancel'
  | 'observe_cancel'
  | 'lose_worker'
  | 'give_up'
  | 'hand_back'

type Transitions = Readonly<Record<JobStatus, Readonly<Partial<Record<JobEvent, JobStatus>>>>>

const TRANSITIONS: Transitions = {
  queued: { claim: 'running', cancel: 'canceled' },
  running: {
    succeed: 'success',
    fail: 'failure',
    // the action's own `retry`: back to the queue after its delay
    retry: 'queued',
    // a running job is only marked; its worker sees the mark and ends it
    cancel: 'running',
    observe_cancel: 'canceled',
    lose_worker: 'queued',
    give_up: 'failure',
    // the worker stops: back to the queue, no crash counted [jobs 8.9]
    hand_back: 'queued',
  },
  success: {},
  failure: {},
  canceled: {},
}

/** The status after `event`, or null when it changes nothing. */
export const nextStatus = (status: JobStatus, event: JobEvent): JobStatus | null =>
  TRANSITIONS[status][event] ?? null

export const isTerminal = (status: JobStatus): status is TerminalStatus =>
  TERMINAL_STATUSES.some((terminal) => terminal === status)
