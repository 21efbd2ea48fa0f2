/**
 * The order in which results of durable steps reach the script. While several calls are open, the
 * order is recorded, and later attempts repeat it, one result at a time. So code in branches of
 * Promise.all runs the same way again, draws the same values and counts the same calls.
 */
import type { HistoryEntry } from '#core/durable/step.ts'
import type { Activity } from './activity.ts'

/** Computes what a later attempt repeats. */
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
  /** Notes that a call has begun. */
  open: (position: number) => void
  /** Resolves when the result of an open call may reach the script. The call is then over. */
  turn: (position: number) => Promise<void>
  /** Takes the entries that are not recorded yet, each once. */
  take: () => readonly HistoryEntry[]
  /** The attempt has ended: no further result reaches the script. */
  close: () => void
}>

// saved before user code can replace it
const { setImmediate } = globalThis

/** Resolves when the code that the last result set off has run, as far as it goes without waiting. */
const drained = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/**
 * @param recorded the order of earlier attempts
 * @param cutDraws called when the run leaves that order, after which its draws are new; returns the number of draws so far
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

  /** The next result to deliver: the recorded one, or else the first that became ready. */
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
      // the recorded next result may still be on its way, or its call may not have begun yet
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
