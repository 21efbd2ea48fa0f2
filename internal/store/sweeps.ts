/**
 * Retention: deletes ended jobs after their retention time, and expired rows. Each statement deletes a bounded number of rows,
 * so that a sweep never holds the writer for long. Each finds its rows by an index, so that a sweep with nothing to do costs
 * nothing. The ledger is never swept [jobs 13.3].
 */
import type { Database, Statement } from './database.ts'
import { exists, text } from './row.ts'
import { join, raw, SQL_NOW, sql } from './sql.ts'
import { ID_SLACK_MS, largestIdAt } from './uuid-bounds.ts'

export type EndedJobsQuery = Readonly<{
  ws: string
  /** Selects jobs that ended before this time, in milliseconds since 1970. */
  endedBefore: number
  /** An empty text starts with the oldest job. */
  afterId: string
  limit: number
}>

/**
 * A condition on a job or a subflow run: it belongs to the step that its run is at. The step reads the results of its children
 * when the last one ends, which may be long after the first.
 */
const isOfOpenStep = (table: 'jobs' | 'flow_runs', runId: string, index: string): Statement => {
  const child = raw(table)
  return sql`EXISTS (SELECT 1 FROM flow_runs open WHERE open.ws = ${child}.ws AND open.id = ${child}.${raw(runId)}
    AND open.step_index = ${child}.${raw(index)} AND open.completed_at IS NULL)`
}

/**
 * Lists the ids of ended jobs, oldest first, without those that an open step of a flow run needs. A job ends after its creation,
 * so the scan stops at ids of `endedBefore`.
 */
export const listEndedJobIds = (
  db: Database,
  { ws, endedBefore, afterId, limit }: EndedJobsQuery,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT id FROM jobs WHERE ws = ${ws} AND id > ${afterId}
      AND id <= ${largestIdAt(endedBefore + ID_SLACK_MS)} AND completed_at < ${endedBefore}
      AND NOT ${isOfOpenStep('jobs', 'flow_run_id', 'flow_index')}
      ORDER BY id LIMIT ${limit}`,
  )

const longTable = (table: string, owner: string, key: string, bytes = '0') => ({
  table: raw(table),
  owner: raw(owner),
  key: raw(key),
  bytes: raw(bytes),
})

/** Tables of which a single job may have thousands of rows or megabytes, with their primary keys and about the bytes of a row. */
const LONG_TABLES = [
  longTable('job_steps', 'job_id', 'job_id, name', 'coalesce(octet_length(result), 0)'),
  longTable('job_starts', 'job_id', 'job_id, key'),
  longTable('job_logs', 'job_id', 'job_id, attempt, seq', 'octet_length(chunk)'),
  longTable('event_waits', 'owner_id', 'id'),
]

type LongJobs = Readonly<{ ws: string; ids: readonly string[]; limit: number; maxBytes: number }>

const endedOf = ({ ws, ids }: LongJobs): Statement =>
  sql`(SELECT j.id FROM json_each(${JSON.stringify(ids)}) JOIN jobs j ON j.ws = ${ws} AND j.id = value
    WHERE j.completed_at IS NOT NULL)`

/** Returns whether a table has more than `limit` rows or `maxBytes` of these jobs. */
export const haveManyRows = (db: Database, jobs: LongJobs): Promise<boolean> => {
  const more = LONG_TABLES.map(
    ({
      table,
      owner,
      bytes,
    }) => sql`(SELECT count(*) > ${jobs.limit} OR total(bytes) > ${jobs.maxBytes} FROM
      (SELECT ${bytes} AS bytes FROM ${table} WHERE ${owner} IN ${endedOf(jobs)} LIMIT ${jobs.limit + 1}))`,
  )
  return exists(db, sql`SELECT 1 WHERE ${join(more, ' OR ')}`)
}

/** Deletes up to `limit` rows of each of these tables, with the row that reaches `maxBytes`. Those of jobs that have not ended remain. */
export const deleteSomeRows = (jobs: LongJobs): readonly Statement[] =>
  LONG_TABLES.map(
    ({ table, owner, key, bytes }) =>
      sql`DELETE FROM ${table} WHERE (${key}) IN
        (SELECT ${key} FROM (SELECT ${key}, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS before FROM
          (SELECT ${key}, ${bytes} AS bytes FROM ${table} WHERE ${owner} IN ${endedOf(jobs)} LIMIT ${jobs.limit}))
        WHERE before < ${jobs.maxBytes})`,
  )

/** Deletes jobs with all that belongs to them. Running or queued jobs remain, even if they are in the list. */
export const deleteEndedJobs = (ws: string, ids: readonly string[]): readonly Statement[] => {
  const isListed = sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
  return [
    sql`DELETE FROM jobs WHERE ws = ${ws} AND id ${isListed} AND completed_at IS NOT NULL`,
    ...[
      'job_inputs',
      'job_logs',
      'job_attempts',
      'job_starts',
      'job_steps',
      'job_history',
      'view_tokens',
    ]
      .map(raw)
      .map(
        (table) =>
          sql`DELETE FROM ${table} WHERE job_id ${isListed}
          AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ws = ${ws} AND jobs.id = ${table}.job_id)`,
      ),
    sql`DELETE FROM job_dismissals WHERE ws = ${ws} AND job_id ${isListed}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ws = ${ws} AND jobs.id = job_dismissals.job_id)`,
    sql`DELETE FROM traces WHERE owner_id ${isListed}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ws = ${ws} AND jobs.id = traces.owner_id)`,
    sql`DELETE FROM event_waits WHERE owner_id ${isListed}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ws = ${ws} AND jobs.id = event_waits.owner_id)`,
  ]
}

type EndedRuns = Readonly<{ columns: string; endedBefore: number; limit: number }>

const endedRuns = ({ columns, endedBefore, limit }: EndedRuns): Statement =>
  sql`SELECT ${raw(columns)} FROM flow_runs INDEXED BY flow_runs_ended
    WHERE completed_at IS NOT NULL AND completed_at < ${endedBefore}
      AND NOT ${isOfOpenStep('flow_runs', 'parent_run_id', 'parent_index')}
    ORDER BY completed_at, ws, id LIMIT ${limit}`

/** Returns whether retention may delete a flow run that ended before this time. It only reads, so that an idle node writes nothing. */
export const hasEndedFlowRuns = (db: Database, endedBefore: number): Promise<boolean> =>
  exists(db, endedRuns({ columns: 'id', endedBefore, limit: 1 }))

/** Deletes ended runs with all that belongs to them, the runs last. Their jobs are kept as long as other jobs. */
export const deleteEndedFlowRuns = (endedBefore: number, limit: number): readonly Statement[] => [
  ...['flow_steps', 'flow_slots', 'approvals']
    .map(raw)
    .map(
      (table) =>
        sql`DELETE FROM ${table} WHERE run_id IN (${endedRuns({ columns: 'id', endedBefore, limit })})`,
    ),
  sql`DELETE FROM traces WHERE owner_id IN (${endedRuns({ columns: 'id', endedBefore, limit })})`,
  sql`DELETE FROM event_waits WHERE owner_id IN (${endedRuns({ columns: 'id', endedBefore, limit })})`,
  sql`DELETE FROM flow_run_dismissals WHERE (ws, run_id) IN (${endedRuns({ columns: 'ws, id', endedBefore, limit })})`,
  sql`DELETE FROM flow_runs WHERE (ws, id) IN (${endedRuns({ columns: 'ws, id', endedBefore, limit })})`,
]

const DAY_MS = 86_400_000

const isExpired = sql`expires_at <= ${SQL_NOW}`
const isLongExpired = sql`expires_at < ${SQL_NOW} - ${30 * DAY_MS}`
const isDayOld = (column: string): Statement => sql`${raw(column)} < ${SQL_NOW} - ${DAY_MS}`

/** A table whose rows expire, with its primary key and the condition for deletion. */
const expiring = (table: string, key: string, condition: Statement) => ({
  table: raw(table),
  key: raw(key),
  condition,
})

const EXPIRING = [
  expiring('sessions', 'id', isExpired),
  expiring('device_logins', 'id', isExpired),
  expiring('view_tokens', 'id', isExpired),
  expiring('oidc_states', 'hash', isExpired),
  expiring('oidc_links', 'hash', isExpired),
  expiring('idempotency_keys', 'ws, credential, route, key', isDayOld('created_at')),
  expiring('nodes', 'id', isDayOld('pinged_at')),
  // expired links are kept for a while, so that people can look them up
  expiring(
    'flow_link_uses',
    'link_id, run_id',
    sql`link_id IN (SELECT id FROM flow_links WHERE ${isLongExpired})`,
  ),
  expiring(
    'flow_links',
    'ws, id',
    sql`${isLongExpired} AND NOT EXISTS (SELECT 1 FROM flow_link_uses u WHERE u.link_id = flow_links.id)`,
  ),
  // an ended session shows for a day how it ended; its content is already overwritten
  expiring(
    'relay_material',
    'id',
    sql`id IN (SELECT id FROM relay_sessions WHERE ${isDayOld('ended_at')})`,
  ),
  expiring('relay_sessions', 'id', isDayOld('ended_at')),
  // counters of tags and apps whose jobs have all left the queue
  expiring('queue_counts', 'ws, tag, app, ready', sql`n = 0`),
  // older than any rate limit window
  expiring('rate_starts', 'key, seq', isDayOld('at')),
  expiring('guesses', 'bucket, at, id', isDayOld('at')),
  expiring('event_starts', 'id', isDayOld('at')),
  // an event that a run has taken is kept until the run has continued with it
  expiring(
    'events',
    'ws, id',
    sql`${isDayOld('at')} AND NOT EXISTS (SELECT 1 FROM event_waits w JOIN flow_runs r
      ON r.ws = w.ws AND r.id = w.owner_id AND r.completed_at IS NULL AND r.step_index = w.position
      WHERE w.event_id = events.id AND w.owner_kind = 'flow')`,
  ),
]

const hasExpired = EXPIRING.map(
  ({ table, condition }) => sql`EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`,
)

/** `found` is 1 if a table has expired rows. It only reads, so that an idle node writes nothing. */
export const findExpired = sql`SELECT ${join(hasExpired, ' OR ')} AS found`

/** Deletes up to `limit` expired rows of each table. */
export const deleteExpired = (limit: number): readonly Statement[] =>
  EXPIRING.map(
    ({ table, key, condition }) =>
      sql`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${limit})`,
  )
