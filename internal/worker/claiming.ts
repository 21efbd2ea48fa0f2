/** Runs one claim at a time, and repeats it while it finds jobs and there is room. */

export type ClaimOutcome = Readonly<{
  count: number
  /** Other jobs may wait behind jobs that could not run. */
  mayBeMore: boolean
  /** Milliseconds until a delayed job may be due; null if none is known. */
  nextDueMs: number | null
}>

export type ClaimingOptions = Readonly<{
  /** Returns how many more jobs the worker could take. */
  room: () => number
  /** Returns false to stop the claims until the next request. */
  mayGoOn: () => boolean
  /**
   * Claims up to `limit` jobs.
   * @param onTaken to be called when the commit of the claim begins; the claim does not see later writes
   */
  claim: (limit: number, onTaken: () => void) => Promise<ClaimOutcome>
  onError: (error: unknown) => void
}>

export interface Claiming {
  /**
   * Claims until no job comes or there is no room. A request during a claim causes one more claim after it, unless the commit
   * of that claim has not begun: the claim runs last in its commit, so it sees all that was written before.
   */
  request(): Promise<void>
  /**
   * To be called after a write that may let jobs start was handed to the database. Requests a claim after the write if more
   * jobs may wait than the last claim took or had room for. @returns whether a claim follows the write
   */
  follow(): boolean
  /** Resolves when no claim is in progress. */
  settled(): Promise<void>
}

/** Creates the claim loop of one worker. */
export const createClaiming = ({ room, mayGoOn, claim, onError }: ClaimingOptions): Claiming => {
  let isRequested = false
  let isBacklogged = false
  /** A claim was handed to the database, and its commit has not begun. It sees all that has been written so far. */
  let isAhead = false
  let underWay: Promise<void> | null = null

  const endWait = (): void => {
    isAhead = false
  }

  const claimAll = async (): Promise<void> => {
    do {
      isRequested = false
      const limit = room()
      isBacklogged ||= limit <= 0
      if (limit <= 0) continue
      isAhead = true
      const { count, mayBeMore } = await claim(limit, endWait).finally(endWait)
      isBacklogged = count === limit
      // a claim takes a bounded share of each workspace, so more jobs may be waiting
      if (count > 1 || count === limit || mayBeMore) isRequested = true
    } while (isRequested && mayGoOn())
  }

  const request = (): Promise<void> => {
    isRequested ||= !isAhead
    underWay ??= claimAll()
      .catch(onError)
      .finally(() => {
        underWay = null
      })
    return underWay
  }

  return {
    request,
    follow: () => {
      if (isBacklogged && mayGoOn()) void request()
      return isAhead
    },
    settled: async () => {
      await underWay
    },
  }
}
