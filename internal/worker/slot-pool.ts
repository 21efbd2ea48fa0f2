/**
 * The slots of a worker, which the claim loops of all its cells share.
 *
 * It guarantees: no more than `concurrency` jobs run at once; where loops of several cells want a slot, the one that was served longest
 * ago gets it, so that cells with work have equal shares whatever each has queued.
 */
export interface SlotShare {
  /** How many slots this loop may fill now. */
  room(): number
  /** A job of this loop takes a slot. */
  enter(): void
  /** A job of this loop leaves its slot. */
  leave(): void
  /** States whether this loop may have jobs that find no slot. Others leave it one while it does. */
  want(isWanting: boolean): void
}

export type SlotPool = Readonly<{
  /** Jobs of all loops that run. */
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

  /** A single loop looks after itself. Later in the same turn, so that the loop that freed a slot is not called from within. */
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
      // the first turns go by the order in which loops join
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
