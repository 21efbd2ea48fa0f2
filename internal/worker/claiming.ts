/** Runs one claim at a time, repeatedly while jobs come and there is room. */

export type Claimed = Readonly<{
  count: number
  /** Others may wait behind jobs that could not run. */
  mayBeMore: boolean
}>

export type ClaimingOptions = Readonly<{
  /** Returns how many more jobs the worker could take. */
  room: () => number
  /** False stops the claims until the next request. */
  mayGoOn: () => boolean
  /**
   * Claims up to `limit` jobs.
   * @param onTaken to be called when the commit of the claim begins: later writes are not seen by it
   */
  claim: (limit: number, onTaken: () => void) => Promise<Claimed>
  onError: (error: unknown) => void
}>

export interface Claiming {
  /**
   * Claims until no job comes or there is no room. A request during a claim causes one more claim after it, unless the
   * claim has not been taken yet: it runs behind all else in its commit.
   */
  request(): Promise<void>
  /** A claim was handed to the database and comes after all that is written now. */
  readonly isAhead: boolean
  /**
   * For a write that was just handed to the database and may let jobs start: claims behind it, if more jobs may wait than
   * the last claim took or had room for. @returns whether a claim comes behind it
   */
  follow(): boolean
  /** Resolves when no claim is in progress. */
  settled(): Promise<void>
}

/** Creates the claim loop of one worker. */
export const createClaiming = ({ room, mayGoOn, claim, onError }: ClaimingOptions): Claiming => {
  let isRequested = false
  let isBacklogged = false
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
      // one claim takes a bounded share of each workspace, so more jobs may be waiting
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
    get isAhead() {
      return isAhead
    },
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
