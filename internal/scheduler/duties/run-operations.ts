/** Carries out operations on many jobs. It only reads when there are none, and any node may run it. */
import { type OperationDeps, runOperations } from '#service/queue/run-operations.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 2_000
/** Milliseconds between turns while the queue has no room for replays. */
const AGAIN_MS = 500
/** Milliseconds after which a turn ends, so that the duty can be stopped. */
const TURN_MS = 1_000

/** Creates the duty. It runs while there are operations, and at once when one is accepted. */
export const createOperationsDuty = (
  deps: OperationDeps & Readonly<{ monotonicNow: () => number }>,
): Duty => {
  const place = { afterId: '' }
  return {
    name: 'run-operations',
    everyMs: EVERY_MS,
    dueMs: ({ hasOperations }) => (hasOperations ? 0 : null),
    runOnce: async (signal) => {
      const until = deps.monotonicNow() + TURN_MS
      let state = await runOperations(deps, place)
      while (state === 'more' && !signal.aborted && deps.monotonicNow() < until) {
        state = await runOperations(deps, place)
      }
      if (state === 'idle') return undefined
      return state === 'more' ? 0 : AGAIN_MS
    },
    onWanted: (want) => deps.hints.operationStarted.subscribe(want),
  }
}
