/** Reports to the claim loops of other cells, which share the slots, whether this loop may have more jobs than slots. */
import type { ClaimingOptions } from './claiming.ts'
import type { SlotShare } from './slot-pool.ts'

/** @param waits returns whether claimed jobs wait for a slot */
export const claimInTurn = (
  share: Pick<SlotShare, 'want'>,
  waits: () => boolean,
  { room: roomOf, claim, onError, ...options }: ClaimingOptions,
): ClaimingOptions => ({
  ...options,
  room: () => {
    const room = roomOf()
    if (room <= 0) share.want(true)
    return room
  },
  claim: async (limit, onTaken) => {
    const outcome = await claim(limit, onTaken)
    share.want(outcome.count === limit || waits())
    return outcome
  },
  onError: (error) => {
    share.want(false)
    onError(error)
  },
})
