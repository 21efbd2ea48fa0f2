/**
 * The state table of a flow run [flows 8], drawn in docs/state-machines.md. Decisions of the machine are checked against it
 * before they are written, and statements that change the status of a run are built from it (store/flows/run-transition.ts).
 */
import { type FlowEvent, RUN_STATUSES, type RunStatus } from './run.ts'

/** `admitted` and `continued` belong to the transition that requested them. */
export type RunEvent = FlowEvent['kind'] | 'start'

type Table = Readonly<
  Record<RunEvent, Readonly<Partial<Record<RunStatus | 'none', readonly RunStatus[]>>>>
>

export const RUN_TRANSITIONS: Table = {
  start: { none: ['running', 'waiting_approval', 'completed', 'failed'] },
  child_ended: { running: ['running', 'waiting_approval', 'completed', 'failed', 'canceled'] },
  room_made: { running: ['running', 'waiting_approval', 'completed', 'failed'] },
  admitted: {},
  continued: {},
  approved: { waiting_approval: ['waiting_approval', 'running', 'completed', 'failed'] },
  rejected: { waiting_approval: ['waiting_approval', 'running', 'completed', 'failed'] },
  wait_timed_out: {
    running: ['running', 'waiting_approval', 'completed', 'failed'],
    waiting_approval: ['waiting_approval', 'running', 'completed', 'failed'],
  },
  event_received: { running: ['running', 'waiting_approval', 'completed', 'failed'] },
  reminder_due: { waiting_approval: ['waiting_approval'] },
  planning_failed: { running: ['failed', 'canceled'], waiting_approval: ['failed'] },
  canceled: { running: ['running', 'canceled'], waiting_approval: ['running', 'canceled'] },
}

/** Whether the event may take a run from one status to another. An event that changes nothing always may. */
export const mayBecome = (from: RunStatus | 'none', event: RunEvent, to: RunStatus): boolean =>
  from === to || (RUN_TRANSITIONS[event][from]?.includes(to) ?? false)

/** Returns the statuses from which an event leads to `to`. */
export const statusesBefore = (to: RunStatus): readonly RunStatus[] =>
  RUN_STATUSES.filter((from) =>
    Object.values(RUN_TRANSITIONS).some((next) => next[from]?.includes(to) === true),
  )
