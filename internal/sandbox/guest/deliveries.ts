/**
 * The order in which results of durable steps reach the script. Where several calls are open, the order is recorded and
 * repeated by later attempts, one result at a time: so code that runs in branches of Promise.all takes the same way, draws
 * the same values and counts the same calls.
 */
import type { Activity } from './activity.ts'

/**
 * The position of a step whose result was delivered while others were open; a drawn value; or a cut, after which the run took
 * another way, since a step that had failed ran again: so many deliveries and draws before it still hold.
 */
export type HistoryEntry = number | readonly [number | string] | readonly [number, number]

/** What a later attempt repeats. */
export const foldHistory = (
  entries: readonly HistoryEntry[],
): Readonly<{ delivered: readonly number[]; drawn: readonly (number | string)[] }> => {
  const delivered: number[] = []
  const drawn: (number | string)[] = []
  for (const entry of entries) {
    if (typeof entry === 'number') delivered.push(entry)
    else if (entry.length === 1) drawn.push(entry[0])
    else {
      delivered.length = Math.min(delivered.length, entry[0])
      drawn.length = Math.min(drawn.length, entry[1])
    }
  }
  return { delivered, drawn }
}

export type Deliveries = Readonly<{
  /** A call has begun. */
  open: (position: number) => void
  /** Resolves when the result of an open call may reach the script; the call is over then. */
  turn: (position: number) => Promise<void>
  /** Entries that are not recorded yet; they are taken once. */
  take: () => readonly HistoryEntry[]
  /** The attempt has ended: nothing reaches the script any more. */
  close: () => void
}>

// taken before user code can replace it
const { setImmediate } = globalThis

/** All that the last result has caused by itself is done after it. */
const drained = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/**
 * @param recorded the order of earlier attempts
 * @param cutDraws called when the run leaves that order: what it draws from then on is new. It answers the draws so far
 */
export const createDeliveries = (
  recorded: readonly number[],
  { activity, cutDraws }: Readonly<{ activity: Pick<Activity, 'begin'>; cutDraws: () => number }>,
): Deliveries => {
  const openCalls = new Set<number>()
  const ready = new Map<number, () => void>()
  let next = 0
  let pending: HistoryEntry[] = []
  let hasLeft = false
  let isDelivering = false
  let isClosed = false

  const wanted = (): number | undefined => (hasLeft ? undefined : recorded[next])

  const deliver = (position: number): void => {
    const resolve = ready.get(position)
    ready.delete(position)
    if (wanted() === position) next += 1
    else if (openCalls.size > 1) {
      if (wanted() !== undefined) {
        hasLeft = true
        pending.push([next, cutDraws()])
      }
      pending.push(position)
    }
    openCalls.delete(position)
    resolve?.()
  }

  /** What comes next: as recorded, else what was ready first. */
  const choose = (): number | undefined => {
    const expected = wanted()
    return expected !== undefined && ready.has(expected) ? expected : ready.keys().next().value
  }

  const isExpected = (): boolean => {
    const expected = wanted()
    return expected === undefined || ready.has(expected)
  }

  const deliverAll = async (): Promise<void> => {
    isDelivering = true
    const end = activity.begin()
    while (ready.size > 0 && !isClosed) {
      // what was recorded as the next may still be on its way, or its call has not begun yet
      if (!isExpected()) await drained()
      const position = isClosed ? undefined : choose()
      if (position !== undefined) deliver(position)
      if (openCalls.size > 0) await drained()
    }
    isDelivering = false
    end()
  }

  return {
    open: (position) => void openCalls.add(position),
    turn: (position) =>
      new Promise((resolve) => {
        ready.set(position, resolve)
        if (!isDelivering) void deliverAll()
      }),
    take: () => {
      const taken = pending
      pending = []
      return taken
    },
    close: () => {
      isClosed = true
    },
  }
}
