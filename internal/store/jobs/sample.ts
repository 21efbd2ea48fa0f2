/** Few of the jobs of a time, to see how they went and who ran them. It reads a bounded number of rows by the index of ids. */
import type { SampledJob, WorkerSample } from '#core/job/figures.ts'
import { asNumber, asNumberOrNull, asText } from '../column.ts'
import type { Reader, Statement } from '../database.ts'
import { number, row, text, time } from '../row.ts'
import { raw, sql } from '../sql.ts'
import { smallestIdAt } from '../uuid-bounds.ts'
import { toStatus } from './read.ts'

export type JobPeriod = Readonly<{
  ws: string
  /** Jobs of all apps are read if it is null. */
  app: string | null
  /** Only jobs of this action of the app, if it is not null. No index has it: the app's newest `scanned` jobs are looked through. */
  action: Readonly<{ key: string; scanned: number }> | null
  /** When the jobs were queued, by their ids, in milliseconds; `to` is exclusive. */
  from: number
  to: number
}>

/** The keys of trials (core/preview.ts). Who tries a draft looks at its jobs, so they are no part of the figures of all apps. */
const TRIAL_KEY = `*--try-${'[0-9a-f]'.repeat(8)}`

const within = ({ ws, app, action, from, to }: JobPeriod): Statement => {
  const ids = sql`ws = ${ws} AND id >= ${smallestIdAt(from)} AND id < ${smallestIdAt(to)}`
  if (app === null) return sql`jobs WHERE ${ids} AND app NOT GLOB ${TRIAL_KEY}`
  const ofApp = sql`jobs ${raw('INDEXED BY jobs_by_app')} WHERE app = ${app} AND ${ids}`
  if (action === null) return ofApp
  return sql`(SELECT id, action, status, worker, run_at, started_at, completed_at FROM ${ofApp}
      ORDER BY id DESC LIMIT ${action.scanned}) WHERE action = ${action.key}`
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

const workerSampleRow = row({
  worker: text,
  jobs: number,
  failures: number,
  firstAt: time,
  lastAt: time,
})

/** Who ran the newest jobs of a period, by the worker of the last attempt. */
export const sampleWorkers = (
  db: Reader,
  period: JobPeriod,
  limit: number,
): Promise<readonly WorkerSample[]> =>
  workerSampleRow.all(
    db,
    sql`SELECT worker, count(*) AS jobs, COALESCE(sum(status = 'failure'), 0) AS failures,
        min(started_at) AS first_at, max(COALESCE(completed_at, started_at)) AS last_at
      FROM (SELECT worker, status, started_at, completed_at FROM ${within(period)} ORDER BY id DESC LIMIT ${limit})
      WHERE worker IS NOT NULL AND started_at IS NOT NULL GROUP BY worker`,
  )
