/** A loop that runs several items at once, up to a limit [flows 12.1]. */
import { loopKind } from './loop.ts'

const MAX_AT_ONCE = 50

export const forloopParallel = loopKind('forloop_parallel', MAX_AT_ONCE)
