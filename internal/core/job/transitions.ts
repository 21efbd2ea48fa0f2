/**
 * The state table of a job [jobs 2.2], drawn in docs/state-machines.md. Every statement that changes the status of a job
 * is built from it (store/jobs/transition.ts).
 */
export const JOB_STATUSES = ['queued', 'running', 'success', 'failure', 'canceled'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** A job in one of these statuses never changes again. */
export const TERMINAL_STATUSES = ['success', 'failure', 'canceled'] as const
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number]

export const INITIAL_STATUS = 'queued' satisfies JobStatus

export const JOB_TRANSITIONS = {
  /** A worker takes the job under a lease. */
  claim: { from: 'queued', to: 'running' },
  cancel: { from: 'queued', to: 'canceled' },
  /** A running job is only marked: its worker observes the mark and ends the job. */
  request_cancel: { from: 'running', to: 'running' },
  observe_cancel: { from: 'running', to: 'canceled' },
  succeed: { from: 'running', to: 'success' },
  fail: { from: 'running', to: 'failure' },
  /** The script failed and the action's `retry` allows another attempt. */
  retry: { from: 'running', to: 'queued' },
  /** The worker stops before the job has ended; no crash is counted [jobs 8.9]. */
  hand_back: { from: 'running', to: 'queued' },
  /** Its script waits for a sleep, an event or a called job [durable 3.1]; the attempt continues later. */
  suspend: { from: 'running', to: 'queued' },
  /** The worker did not renew its lease. */
  lose_worker: { from: 'running', to: 'queued' },
  /** Workers were lost as often as the job allows. */
  give_up: { from: 'running', to: 'failure' },
} as const satisfies Readonly<Record<string, Readonly<{ from: JobStatus; to: JobStatus }>>>

type Transitions = typeof JOB_TRANSITIONS
export type JobEvent = keyof Transitions

/** The events that a job in status `From` takes. */
export type EventFrom<From extends JobStatus> = {
  [Event in JobEvent]: Transitions[Event]['from'] extends From ? Event : never
}[JobEvent]

/** The only status in which a job takes the event. */
export const fromOf = <Event extends JobEvent>(event: Event): Transitions[Event]['from'] =>
  JOB_TRANSITIONS[event].from

/** The status after the event. */
export const toOf = <Event extends JobEvent>(event: Event): Transitions[Event]['to'] =>
  JOB_TRANSITIONS[event].to

/** The event by which an attempt ends its job with a status. */
export const END_EVENTS = {
  success: 'succeed',
  failure: 'fail',
  canceled: 'observe_cancel',
} as const satisfies Readonly<Record<TerminalStatus, EventFrom<'running'>>>

export const isTerminal = (status: JobStatus): status is TerminalStatus =>
  TERMINAL_STATUSES.some((terminal) => terminal === status)
