/** Corrects fire times, and the rows that wait for a time, after a jump of the clock. */
import { rebaseFireTime } from '#core/schedule/rebase.ts'
import { parseTiming } from '#core/schedule/timing.ts'
import type { Database, Statement } from '#store/database.ts'
import { correctNextPart, findCorrection } from '#store/nodes/clock-corrections.ts'
import {
  correctFireTimes,
  type FireTimesPlace,
  findFireTimesPlace,
  type MovedSchedule,
  readFireTimesPart,
  type TimedSchedule,
} from '#store/nodes/clock-fire-times.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Parts of one call, which takes one or two seconds. The other duties of a scheduler wait meanwhile. */
const PARTS = 100

/** What a call has left to the next one. */
export type Corrected = 'all' | 'some'

/** Writes parts until none is left, but not too many. @param next returns the next part; null if none is left */
const correct = async (
  db: Database,
  next: () => Promise<readonly Statement[] | null>,
): Promise<Corrected> => {
  for (let part = 0; part < PARTS; part += 1) {
    const statements = await next()
    if (statements === null) return 'all'
    await db.write(statements, { retry: true })
    await takeTurn()
  }
  return 'some'
}

/** Corrects rows in small writes. @returns whether all are corrected; the next call continues with the others */
export const correctRows = (db: Database): Promise<Corrected> =>
  correct(db, async () => {
    const place = await findCorrection(db)
    return place === null ? null : correctNextPart(db, place)
  })

/** Returns schedules whose next fire time is wrong after the jump, with the right one. */
const moveSchedules = (
  schedules: readonly TimedSchedule[],
  { byMs: jumpMs, at }: FireTimesPlace,
): readonly MovedSchedule[] =>
  schedules.flatMap(({ id, cron, timezone, version, nextFireAt, now }) => {
    const { timing } = parseTiming(cron, timezone)
    if (timing === null) return []
    // a schedule that was made since the jump is right, as this comparison finds
    const to = rebaseFireTime(timing, { nextFireAt, jumpMs, now: jumpMs < 0 ? now : at })
    return to === nextFireAt ? [] : [{ id, version, nextFireAt, to }]
  })

/** Corrects fire times in small writes. @returns whether all are corrected; the next call continues with the others */
export const correctSchedules = (db: Database): Promise<Corrected> =>
  correct(db, async () => {
    const place = await findFireTimesPlace(db)
    if (place === null) return null
    const { schedules, lastId } = await readFireTimesPart(db, place)
    return correctFireTimes(place, { lastId, moved: moveSchedules(schedules, place) })
  })
