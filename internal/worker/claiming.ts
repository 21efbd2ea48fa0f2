/** Runs one claim at a time, repeatedly while jobs come and there is room. */
export type ClaimingOptions = Readonly<{
  /** Returns how many more jobs the worker could take. */
  room: () => number
  /** False stops the claims until the next request. */
  mayGoOn: () => boolean
  /** Claims up to `limit` jobs. @returns how many it got */
  claim: (limit: number) => Promise<number>
  onError: (error: unknown) => void
}>

export interface Claiming {
  /** Claims until no job comes or there is no room. A request during a claim causes one more claim after it. */
  request(): Promise<void>
  /** Whether more jobs may wait than the last claim took, or than there was room for. */
  readonly isBacklogged: boolean
  /** Resolves when no claim is in progress. */
  settled(): Promise<void>
}

/** Creates the claim loop of one worker. */
export const createClaiming = ({ room, mayGoOn, claim, onError }: ClaimingOptions): Claiming => {
  let isRequested = false
  let isBacklogged = false
  let underWay: Promise<void> | null = null

  const claimAll = async (): Promise<void> => {
    do {
      isRequested = false
      const limit = room()
      isBacklogged ||= limit <= 0
      if (limit <= 0) continue
      const got = await claim(limit)
      isBacklogged = got === limit
      // one claim takes a bounded share of each workspace, so more jobs may be waiting
      if (got > 1 || got === limit) isRequested = true
    } while (isRequested && mayGoOn())
  }

  return {
    get isBacklogged() {
      return isBacklogged
    },
    request: () => {
      isRequested = true
      underWay ??= claimAll()
        .catch(onError)
        .finally(() => {
          underWay = null
        })
      return underWay
    },
    settled: async () => {
      await underWay
    },
  }
}
