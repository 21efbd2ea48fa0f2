/**
 * Named points where a test may kill the process (`SVC_FAULT=claim_committed:3` kills at the third pass). Off unless that
 * variable is set.
 */
export const FAULT_POINTS = [
  'enqueue_before_commit',
  'enqueue_committed',
  'claim_before_commit',
  'claim_committed',
  'run_started',
  'run_ended',
  'step_before_commit',
  'step_committed',
  'suspend_before_commit',
  'suspend_committed',
  'event_before_commit',
  'event_committed',
  'receive_before_commit',
  'receive_committed',
  'complete_before_commit',
  'complete_committed',
  'hand_back_before_commit',
  'hand_back_committed',
  'rescue_before_commit',
  'rescue_committed',
  'flow_before_commit',
  'flow_committed',
  'fire_before_commit',
  'fire_committed',
  'push_before_commit',
  'push_committed',
  'first_admin_before_commit',
  'first_admin_committed',
  'rotate_before_commit',
  'rotate_committed',
  'rotate_installed',
  'rotate_cell_committed',
  'import_held',
  'import_batch',
  'import_inserted',
  'import_compared',
  'import_released',
  'move_begun',
  'move_held',
  'move_batch',
  'move_copied',
  'move_arrived',
  'move_released',
  'move_served',
  'move_cleaned',
] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

export type PassFault = (point: FaultPoint) => void

/**
 * Creates the function that is called at each point.
 * @param spec `point` or `point:n`; empty for off
 * @param kill ends the process at once, without clean-up
 * @throws {Error} the point is unknown
 */
export const createFaultPoints = (spec: string | undefined, kill: () => void): PassFault => {
  if (spec === undefined || spec === '') return () => undefined
  const [name, count = '1'] = spec.split(':')
  if (!FAULT_POINTS.some((point) => point === name)) {
    throw new Error(`SVC_FAULT names no fault point: ${name}. Known: ${FAULT_POINTS.join(', ')}.`)
  }
  let left = Number(count)
  return (point) => {
    if (point !== name) return
    left -= 1
    if (left === 0) kill()
  }
}
