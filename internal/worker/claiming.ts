/** One claim at a time, again and again while jobs come and there is room. */
export type ClaimingOptions = Readonly<{
  /** How many more jobs the worker could take. */
  room: () => number
  /** False ends the claiming until it is asked for anew. */
  mayGoOn: () => boolean
  /** @returns how many it got */
  claim: (limit: number) => Promise<number>
  onError: (error: unknown) => void
}>

export interface Claiming {
  /** Claims until nothing comes or there is no room. Asked for while one is under way, it looks once more afterwards. */
  ask(): Promise<void>
  /** Resolves when no claim is under way. */
  settled(): Promise<void>
}

export const createClaiming = ({ room, mayGoOn, claim, onError }: ClaimingOptions): Claiming => {
  let isAskedAgain = false
  let underWay: Promise<void> | null = null

  const claimAll = async (): Promise<void> => {
    do {
      isAskedAgain = false
      const limit = room()
      if (limit <= 0) continue
      const got = await claim(limit)
      // a claim takes a bounded share of each workspace: behind several jobs more may be waiting
      if (got > 1 || got === limit) isAskedAgain = true
    } while (isAskedAgain && mayGoOn())
  }

  return {
    ask: () => {
      isAskedAgain = true
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
