/** Places that owners take for as long as their clients like, so that the last ones are only for owners who have none. */
import { createTally } from './tally.ts'

export type Places = Readonly<{
  /** @returns gives the place back, once; null if there is none for this owner now */
  take: (owner: string) => (() => void) | null
}>

/** @param ofBusy how many owners who have a place already may take in all; the rest is for others */
export const createPlaces = (total: number, ofBusy: number): Places => {
  const owners = createTally()
  let taken = 0
  return {
    take: (owner) => {
      if (taken >= (owners.of(owner) === 0 ? total : ofBusy)) return null
      const count = (by: number): void => {
        taken += by
        owners.add(owner, by)
      }
      count(1)
      let isTaken = true
      return () => {
        if (isTaken) count(-1)
        isTaken = false
      }
    },
  }
}
