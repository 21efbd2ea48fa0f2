/** A loop that runs its items one after the other. */
import { loopKind } from './loop.ts'

export const forloop = loopKind('forloop', {}, () => 1)
