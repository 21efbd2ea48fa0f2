/** A loop that runs several items at once, up to a limit [flows 12.1]. */
import { atOnceFields, loopKind, MAX_AT_ONCE } from './loop.ts'

export const forloopParallel = loopKind(
  'forloop_parallel',
  atOnceFields,
  ({ atOnce = MAX_AT_ONCE }) => atOnce,
)
