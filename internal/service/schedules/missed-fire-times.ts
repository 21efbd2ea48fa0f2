/** Counts the fire times that a schedule missed, with turns for other work: a thousand of them take 50 ms. */
import { type FireTimeRange, fireTimesBetween, type Timing } from '#core/schedule/timing.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Fire times of one turn. */
const AT_ONCE = 100

/** Does the same as `fireTimesBetween`. */
export const missedFireTimes = async (
  timing: Timing,
  { after, until, most }: Readonly<{ after: number; until: number; most: number }>,
): Promise<FireTimeRange | null> => {
  const rangeAfter = (from: number, counted: number) => ({
    after: from,
    until,
    most: Math.min(AT_ONCE, most - counted),
  })
  let found = fireTimesBetween(timing, rangeAfter(after, 0))
  let isFull = found?.count === AT_ONCE
  while (found !== null && isFull && found.count < most) {
    await takeTurn()
    const next = fireTimesBetween(timing, rangeAfter(found.last, found.count))
    isFull = next?.count === AT_ONCE
    if (next !== null) found = { ...found, last: next.last, count: found.count + next.count }
  }
  return found
}
