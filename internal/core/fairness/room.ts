/** Room of a server for one kind of work of a workspace. One customer takes only a part, or it would leave none to others. */
import { createTally } from './tally.ts'

export type Holder = Readonly<{
  ws: string
  /** The customer whose key a request has; null for other credentials. */
  customerId: string | null
}>

export type Room = Readonly<{
  /**
   * Takes room. An amount that is larger than the room may be alone in it.
   * @returns gives it back; null if there is none now
   */
  take: (holder: Holder, amount: number) => (() => void) | null
}>

const OF_CUSTOMER = 1 / 4

/** @param most the amount for each workspace */
export const createRoom = (most: number): Room => {
  const ofWorkspaces = createTally()
  const ofCustomers = createTally()
  const fits = (others: number, amount: number, limit: number): boolean =>
    amount === 0 || others === 0 || others + amount <= limit
  return {
    take: ({ ws, customerId }, amount) => {
      if (!fits(ofWorkspaces.of(ws), amount, most)) return null
      if (customerId !== null && !fits(ofCustomers.of(customerId), amount, most * OF_CUSTOMER)) {
        return null
      }
      const count = (by: number): void => {
        ofWorkspaces.add(ws, by)
        if (customerId !== null) ofCustomers.add(customerId, by)
      }
      count(amount)
      return () => count(-amount)
    },
  }
}
