/** Few of the jobs of a time, to see how they went. It reads a bounded number of rows by the index of ids. */
import type { SampledJob } from '#core/job/figures.ts'
import { asNumber, asNumberOrNull, asText } from '../column.ts'
import type { Reader, Statement } from '../database.ts'
import { number } from '../row.ts'
import { raw, sql } from '../sql.ts'
import { smallestIdAt } from '../uuid-bounds.ts'
import { toStatus } from './read.ts'

export type JobPeriod = Readonly<{
  ws: string
  /** Jobs of all apps are read if it is null. */
  app: string | null
  /** When the jobs were queued, by their ids, in milliseconds; `to` is exclusive. */
  from: number
  to: number
}>

const within = ({ ws, app, from, to }: JobPeriod): Statement => {
  const ids = sql`ws = ${ws} AND id >= ${smallestIdAt(from)} AND id < ${smallestIdAt(to)}`
  return app === null
    ? sql`jobs WHERE ${ids}`
    : sql`jobs ${raw('INDEXED BY jobs_by_app')} WHERE app = ${app} AND ${ids}`
}

/** Counts the jobs of a period, at most `limit`. */
export const countJobsOf = async (db: Reader, period: JobPeriod, limit: number): Promise<number> =>
  (await number.one(
    db,
    sql`SELECT count(*) AS n FROM (SELECT id FROM ${within(period)} LIMIT ${limit})`,
  )) ?? 0

/** The newest jobs of a period. */
export const sampleJobs = async (
  db: Reader,
  period: JobPeriod,
  limit: number,
): Promise<readonly SampledJob[]> => {
  const rows = await db.all(
    sql`SELECT status, run_at, started_at, completed_at FROM ${within(period)} ORDER BY id DESC LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    status: toStatus(asText(row.status)),
    dueAt: asNumber(row.run_at),
    startedAt: asNumberOrNull(row.started_at),
    endedAt: asNumberOrNull(row.completed_at),
  }))
}
