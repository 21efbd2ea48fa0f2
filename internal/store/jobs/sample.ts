/** A sample of a period's jobs, to see how they went and which workers ran them. It reads a bounded number of rows by their ids. */
import type { SampledJob, WorkerSample } from '#core/job/figures.ts'
import type { Reader, Statement } from '../database.ts'
import { count, number, type RowOf, row, text, time } from '../row.ts'
import { raw, sql } from '../sql.ts'
import { smallestIdAt } from '../uuid-bounds.ts'
import { jobStatus } from './read.ts'

export type JobPeriod = Readonly<{
  ws: string
  /** Null for all apps. */
  app: string | null
  /** Only jobs of this action of the app; null for all. No index has it, so the app's newest `scanned` jobs are examined. */
  action: Readonly<{ key: string; scanned: number }> | null
  /** The period in which the jobs were queued, by their ids, in milliseconds since 1970. `to` is exclusive. */
  from: number
  to: number
}>

/** The app keys of trials (core/deploy/preview.ts). Figures of all apps exclude them, because authors look at trials directly. */
const TRIAL_KEY = `*--try-${'[0-9a-f]'.repeat(8)}`

const within = ({ ws, app, action, from, to }: JobPeriod): Statement => {
  const ids = sql`ws = ${ws} AND id >= ${smallestIdAt(from)} AND id < ${smallestIdAt(to)}`
  if (app === null) return sql`jobs WHERE ${ids} AND app NOT GLOB ${TRIAL_KEY}`
  const ofApp = sql`jobs ${raw('INDEXED BY jobs_by_app')} WHERE app = ${app} AND ${ids}`
  if (action === null) return ofApp
  return sql`(SELECT id, action, status, worker, run_at, started_at, completed_at FROM ${ofApp}
      ORDER BY id DESC LIMIT ${action.scanned}) WHERE action = ${action.key}`
}

/** Counts the jobs of a period, up to `limit`. */
export const countJobsOf = (db: Reader, period: JobPeriod, limit: number): Promise<number> =>
  count(db, sql`SELECT count(*) AS n FROM (SELECT id FROM ${within(period)} LIMIT ${limit})`)

const outcomeCount = row({
  runs: number,
  failures: number,
})

/** Counts the newest jobs of a period, up to `limit`, and those of them that failed. */
export const countOutcomesOf = async (
  db: Reader,
  period: JobPeriod,
  limit: number,
): Promise<RowOf<typeof outcomeCount>> =>
  (await outcomeCount.one(
    db,
    sql`SELECT count(*) AS runs, COALESCE(sum(status = 'failure'), 0) AS failures
      FROM (SELECT status FROM ${within(period)} ORDER BY id DESC LIMIT ${limit})`,
  )) ?? { runs: 0, failures: 0 }

const sampleRow = row({
  status: jobStatus,
  dueAt: time('run_at'),
  startedAt: time.nullable,
  endedAt: time.nullable('completed_at'),
})

/** Returns the newest jobs of a period. */
export const sampleJobs = (
  db: Reader,
  period: JobPeriod,
  limit: number,
): Promise<readonly SampledJob[]> =>
  sampleRow.all(
    db,
    sql`SELECT ${sampleRow.columns()} FROM ${within(period)} ORDER BY id DESC LIMIT ${limit}`,
  )

const workerSampleRow = row({
  worker: text,
  jobs: number,
  failures: number,
  firstAt: time,
  lastAt: time,
})

/** Returns which workers ran the newest jobs of a period. Each job counts for the worker of its last attempt. */
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
