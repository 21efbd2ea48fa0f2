/** Continues flow runs that wait for room in the queue. It only reads when none waits, and any node may run it. */
import { admitSteps } from '#service/flows/admit-steps.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000
/** Milliseconds between turns while runs wait. A full queue is counted again as often. */
const AGAIN_MS = 250

/** Creates the duty; it runs while runs wait, every 250 ms. */
export const createAdmitDuty = (deps: FlowDeps): Duty => ({
  name: 'admit-flow-steps',
  everyMs: EVERY_MS,
  dueMs: ({ hasRunsAwaitingRoom }) => (hasRunsAwaitingRoom ? 0 : null),
  runOnce: async () => ((await admitSteps(deps)) ? AGAIN_MS : undefined),
})
