/**
 * Decides for each commit whether the event loop waits for its sync. A sync on another thread takes 0.1 ms longer, so a lone
 * commit on a fast disk waits. If several callers wait, or the disk is slow, the event loop has better things to do.
 */

/** Batches in a commit from which others are likely to arrive during its sync. */
const COMPANY = 3
/** Mean time of a commit from which 0.1 ms more does not matter. */
const SLOW_MS = 2
/** Weight of one commit in the mean. */
const WEIGHT = 1 / 8

export type SyncPace = Readonly<{
  /** Whether the sync of a commit of this number of batches should leave the event loop free. */
  isApart: (batches: number) => boolean
  /** Records how long a commit or its sync has taken, in milliseconds. */
  note: (ms: number) => void
}>

export const createSyncPace = (): SyncPace => {
  // a disk counts as slow until it has shown otherwise
  let meanMs = 2 * SLOW_MS
  return {
    isApart: (batches) => batches >= COMPANY || meanMs >= SLOW_MS,
    note: (ms) => {
      meanMs += (ms - meanMs) * WEIGHT
    },
  }
}
