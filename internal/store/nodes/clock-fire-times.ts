/**
 * Corrects the fire times of schedules after a jump of the clock. Hundreds of thousands in one write would keep the database from
 * answering for seconds, so they are corrected in small ones, like the rows of clock-corrections.ts. They have a row of `meta` of
 * their own, which names the schedule that the correction has come to: what reads the row first computes the fire times, and a node
 * of an earlier release leaves it alone.
 */
import { z } from 'zod'
import type { Reader, Statement } from '../database.ts'
import { number, parsed, type RowOf, row, text, time } from '../row.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotFenced } from '../workspaces/fence.ts'

/** Schedules that a part passes over. Node computes their fire times in a few milliseconds. */
const SCHEDULES_PER_PART = 200

const KEY = 'clock_fires_'
const keyOf = (epoch: number): string => `${KEY}${epoch}`

/** A condition: fire times are left to be corrected. Schedules must not fire meanwhile. */
export const HAS_FIRE_TIMES_TO_CORRECT = raw(`EXISTS (SELECT 1 FROM meta WHERE key GLOB '${KEY}*')`)

const placeSchema = z.object({
  epoch: z.number(),
  byMs: z.number(),
  /** The database's clock after the jump. */
  at: z.number(),
  /** The last schedule that was passed over; an empty text before the first. */
  afterId: z.string(),
})

/** Where the correction of fire times is, with the text that stands for it. */
export type FireTimesPlace = z.infer<typeof placeSchema> & Readonly<{ value: string }>

const placeColumn = parsed(
  (value): FireTimesPlace => ({ ...placeSchema.parse(JSON.parse(value)), value }),
)

/** Begins the correction after a jump. @param guard a condition */
export const beginFireTimes = (
  { epoch, byMs }: Pick<FireTimesPlace, 'epoch' | 'byMs'>,
  guard: Statement,
): Statement =>
  sql`INSERT INTO meta (key, value) SELECT ${keyOf(epoch)},
    json_object('epoch', ${epoch}, 'byMs', ${byMs}, 'at', ${SQL_NOW}, 'afterId', '') WHERE ${guard}`

/** Finds the place of the oldest jump whose fire times are not all corrected; null if none are left. */
export const findFireTimesPlace = (db: Reader): Promise<FireTimesPlace | null> =>
  placeColumn.one(
    db,
    sql`SELECT value FROM meta WHERE key GLOB ${`${KEY}*`} ORDER BY value ->> 'epoch' LIMIT 1`,
  )

const timedScheduleRow = row({
  id: text,
  cron: text,
  timezone: text,
  version: number,
  nextFireAt: time,
  /** The database's clock. */
  now: time(SQL_NOW),
})
export type TimedSchedule = RowOf<typeof timedScheduleRow>

export type FireTimesPart = Readonly<{
  /** The enabled schedules of the part. */
  schedules: readonly TimedSchedule[]
  /** The last schedule of the part; null if it is the last part. */
  lastId: string | null
}>

/** Reads the schedules of the next part, of all workspaces. */
export const readFireTimesPart = async (
  db: Reader,
  { afterId }: FireTimesPlace,
): Promise<FireTimesPart> => {
  const lastId = await text.one(
    db,
    sql`SELECT id FROM schedules WHERE id > ${afterId} ORDER BY id LIMIT 1 OFFSET ${SCHEDULES_PER_PART - 1}`,
  )
  const schedules = await timedScheduleRow.all(
    db,
    sql`SELECT ${timedScheduleRow.columns()} FROM schedules
      WHERE id > ${afterId} AND ${isUpTo(lastId)} AND enabled = 1 ORDER BY id`,
  )
  return { schedules, lastId }
}

const isUpTo = (lastId: string | null): Statement => (lastId === null ? TRUE : sql`id <= ${lastId}`)

export type MovedSchedule = Pick<TimedSchedule, 'id' | 'version' | 'nextFireAt'> &
  Readonly<{ to: number }>

/**
 * Returns the batch that corrects a part. It may be retried, and does nothing if another node has corrected the part. A schedule that
 * was changed since it was read has a right fire time already.
 */
export const correctFireTimes = (
  { value, ...place }: FireTimesPlace,
  { lastId, moved }: Pick<FireTimesPart, 'lastId'> & Readonly<{ moved: readonly MovedSchedule[] }>,
): readonly Statement[] => {
  const { epoch, byMs, afterId } = place
  const isHere = sql`key = ${keyOf(epoch)} AND value = ${value}`
  const guard = sql`EXISTS (SELECT 1 FROM meta WHERE ${isHere})`
  const rows = moved.map(({ id, version, nextFireAt, to }) => [id, version, nextFireAt, to])
  return [
    sql`UPDATE schedules SET next_fire_at = moved.value ->> 3 FROM json_each(${JSON.stringify(rows)}) AS moved
      WHERE schedules.id = moved.value ->> 0 AND version = moved.value ->> 1 AND next_fire_at = moved.value ->> 2
        AND enabled = 1 AND ${guard}`,
    sql`UPDATE clock_jumps SET schedules = schedules + changes() WHERE epoch = ${epoch} AND ${guard}`,
    ...(byMs < 0 ? bringBack(sql`id > ${afterId} AND ${isUpTo(lastId)}`, guard) : []),
    lastId === null
      ? sql`DELETE FROM meta WHERE ${isHere}`
      : sql`UPDATE meta SET value = ${JSON.stringify({ ...place, afterId: lastId })} WHERE ${isHere}`,
  ]
}

/** Corrects what else a jump back leaves in the future. @param part a condition on the ids of schedules */
const bringBack = (part: Statement, guard: Statement): readonly Statement[] => [
  sql`UPDATE schedules SET waiting_since = ${SQL_NOW}
    WHERE ${part} AND waiting_since > ${SQL_NOW} AND ${guard} AND ${isNotFenced('schedules')}`,
  // the clock comes to these fire times again; those that fired stay on record, and do not fire again
  sql`DELETE FROM schedule_slots WHERE ${guard} AND (schedule_id, slot) IN (
    SELECT s.schedule_id, s.slot FROM (SELECT id FROM schedules WHERE ${part} AND ${isNotFenced('schedules')}) c
      CROSS JOIN schedule_slots s ON s.schedule_id = c.id
      WHERE s.slot > ${SQL_NOW} AND s.outcome = 'skipped')`,
]
