/** Continues flow runs that wait for room in the queue. Only reads when there is none; any node may do it. */
import { admitSteps } from '#service/flows/admit-steps.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000
/** Interval while runs wait: a full queue is counted again as often. */
const AGAIN_MS = 250

/** Creates the duty; it runs while runs wait, every 250 ms. */
export const createAdmitDuty = (deps: FlowDeps): Duty => ({
  name: 'admit-flow-steps',
  everyMs: EVERY_MS,
  dueMs: ({ hasRunsAwaitingRoom }) => (hasRunsAwaitingRoom ? 0 : null),
  runOnce: async () => ((await admitSteps(deps)) ? AGAIN_MS : undefined),
})
