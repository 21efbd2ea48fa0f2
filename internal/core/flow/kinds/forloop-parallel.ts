/** A loop that runs several items at once, up to a limit [flows 12.1]. */
import { limit } from '../../limit.ts'
import { loopKind } from './loop.ts'

const MAX_AT_ONCE = limit('flow.at_once', 50, 'items', 'Items of a parallel loop that run at once.')

export const forloopParallel = loopKind('forloop_parallel', MAX_AT_ONCE)
