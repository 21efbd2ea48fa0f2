/** Carries operations on many jobs out. Only reads when there is none; any node may do it. */
import type { Deps } from '#service/deps.ts'
import { type OperationDeps, runOperations } from '#service/queue/run-operations.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 2_000
/** While the queue has no room for replays. */
const AGAIN_MS = 500
/** The longest turn, after which the duty may be stopped. */
const TURN_MS = 1_000

/** Creates the duty; it runs while there are operations, and at once when one was accepted. */
export const createOperationsDuty = (deps: OperationDeps & Pick<Deps, 'now'>): Duty => ({
  name: 'run-operations',
  everyMs: EVERY_MS,
  dueMs: ({ hasOperations }) => (hasOperations ? 0 : null),
  runOnce: async (signal) => {
    const until = deps.now() + TURN_MS
    let state = await runOperations(deps)
    while (state === 'more' && !signal.aborted && deps.now() < until) {
      state = await runOperations(deps)
    }
    if (state === 'idle') return undefined
    return state === 'more' ? 0 : AGAIN_MS
  },
  onWanted: (want) => deps.hints.operationStarted.subscribe(want),
})
