/**
 * The slots of a worker, which the claim loops of all its cells share.
 *
 * It guarantees: at most `concurrency` jobs run at once. When loops of several cells want a slot, the one served longest ago
 * gets it, so that cells with work have equal shares regardless of how much each has queued.
 */
export interface SlotShare {
  /** Returns how many slots this loop may fill now. */
  room(): number
  /** Takes a slot for a job of this loop. */
  enter(): void
  /** Frees the slot of a job of this loop. */
  leave(): void
  /** States whether this loop may have jobs that find no slot. While it does, other loops leave one slot for it. */
  want(isWanting: boolean): void
}

export type SlotPool = Readonly<{
  /** Returns the number of running jobs of all loops. */
  running: () => number
  /** @param onRoom called when a loop that wants slots may fill one */
  join: (onRoom: () => void) => SlotShare
}>

type Member = { isWanting: boolean; servedAt: number; readonly onRoom: () => void }

/** Creates the slots of one worker. */
export const createSlotPool = (concurrency: number): SlotPool => {
  const members = new Set<Member>()
  let running = 0
  let turn = 0
  let isPoked = false

  const roomOf = (member: Member): number => {
    let room = concurrency - running
    for (const other of members) {
      if (other !== member && other.isWanting && other.servedAt < member.servedAt) room -= 1
    }
    return Math.max(room, 0)
  }

  const inTurn = (): readonly Member[] =>
    [...members]
      .filter(({ isWanting }) => isWanting)
      .toSorted((one, other) => one.servedAt - other.servedAt)

  /**
   * Offers free slots to the loops that want one. A single loop does not need it. It runs in a microtask, so that the loop that
   * freed a slot is not called from within its own call.
   */
  const poke = (): void => {
    if (isPoked || members.size < 2) return
    isPoked = true
    queueMicrotask(() => {
      isPoked = false
      for (const member of inTurn()) if (roomOf(member) > 0) member.onRoom()
    })
  }

  return {
    running: () => running,
    join: (onRoom) => {
      // the first turns follow the order in which loops join
      turn += 1
      const member: Member = { isWanting: false, servedAt: turn, onRoom }
      members.add(member)
      return {
        room: () => roomOf(member),
        enter: () => {
          running += 1
          turn += 1
          member.servedAt = turn
          poke()
        },
        leave: () => {
          running -= 1
          poke()
        },
        want: (isWanting) => {
          if (member.isWanting && !isWanting) poke()
          member.isWanting = isWanting
        },
      }
    },
  }
}
