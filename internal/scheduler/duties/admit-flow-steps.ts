/** Lets flow runs go on that wait for room in the queue. A read while none does; any node may do it. */
import { admitSteps } from '#service/flows/admit-steps.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import type { Duty } from '../loop.ts'

const EVERY_MS = 1_000
/** While runs wait: as often as a full queue is counted anew. */
const AGAIN_MS = 250

export const createAdmitDuty = (deps: FlowDeps): Duty => ({
  name: 'admit-flow-steps',
  everyMs: EVERY_MS,
  runOnce: async () => ((await admitSteps(deps)) ? AGAIN_MS : undefined),
})
