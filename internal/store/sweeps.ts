/**
 * Retention: deletes ended jobs after their retention time, and expired rows. Each statement deletes a bounded number of rows,
 * so that a sweep never holds the writer for long. Each finds its rows by an index, so that a sweep with nothing to do costs
 * nothing. The ledger is never swept [jobs 13.3].
 */
import { DAY_MS } from '#core/time-units.ts'
import type { Database, Statement } from './database.ts'
import { exists, number, type RowOf, row, text, time } from './row.ts'
import { join, listed, raw, SQL_NOW, sql, TRUE } from './sql.ts'
import { ID_SLACK_MS, largestIdAt } from './uuid-bounds.ts'

export type EndedJobsQuery = Readonly<{
  ws: string
  /** Selects jobs that ended before this time, in milliseconds since 1970. */
  endedBefore: number
  /** An empty text starts with the oldest job. */
  afterId: string
  /** The last job that the statement looks at; null for all. */
  lastId: string | null
  limit: number
}>

type OldJobs = Omit<EndedJobsQuery, 'limit'>

/** Selects jobs that are old enough to have ended. A job ends after its creation, so the scan stops at ids of `endedBefore`. */
const oldJobs = ({ ws, endedBefore, afterId, lastId }: OldJobs): Statement =>
  sql`jobs WHERE ws = ${ws} AND id > ${afterId} AND id <= ${lastId ?? largestIdAt(endedBefore + ID_SLACK_MS)}`

/**
 * Finds the last of the next `count` jobs that are old enough to have ended; null if there are fewer. Of those, hundreds of thousands
 * may still wait, and a statement that passes all of them keeps a node with a local database from answering.
 */
export const findEndOfOldJobs = (
  db: Database,
  query: Omit<OldJobs, 'lastId'>,
  count: number,
): Promise<string | null> =>
  text.one(
    db,
    sql`SELECT id FROM ${oldJobs({ ...query, lastId: null })} ORDER BY id LIMIT 1 OFFSET ${count - 1}`,
  )

/**
 * A condition on a job or a subflow run: it belongs to the step that its run is at. The step reads the results of its children
 * when the last one ends, which may be long after the first.
 */
const isOfOpenStep = (table: 'jobs' | 'flow_runs', runId: string, index: string): Statement => {
  const child = raw(table)
  return sql`EXISTS (SELECT 1 FROM flow_runs open WHERE open.ws = ${child}.ws AND open.id = ${child}.${raw(runId)}
    AND open.step_index = ${child}.${raw(index)} AND open.completed_at IS NULL)`
}

/** Bytes that one write deletes, which takes about 10 ms: SQLite visits each page of a value that it deletes. */
const MOST_BYTES = 1_024 * 1_024
/** Bytes that take as long to delete as a row without large values. */
const ROW_BYTES = MOST_BYTES / 250
/**
 * Bytes that take as long as a row that may have megabytes. SQLite reads all of it to weigh it, in about 1 ms per MiB, which delays
 * this process unless a server does it.
 */
const LARGE_ROW_BYTES = { file: MOST_BYTES / 8, remote: MOST_BYTES / 64 } as const
/** Bytes that take as long as a job or a flow run, which has rows in many tables. */
const OWNER_BYTES = MOST_BYTES / 100

/** The bytes of a row in these columns. */
export const sizeOf = (...columns: readonly string[]): Statement =>
  raw(columns.map((column) => `COALESCE(octet_length(${column}), 0)`).join(' + '))

type Weighed = Readonly<{
  /** The primary key. */
  key: Statement
  /** Bytes of the values that may be large. */
  bytes: Statement
  /** @default ROW_BYTES */
  rowBytes?: number
  /** The text after FROM. */
  from: Statement
}>

/** Selects the keys of rows with the bytes of the rows before them, up to a few rows more than one write may delete. */
const weighed = ({ key, bytes, rowBytes = ROW_BYTES, from }: Weighed): Statement =>
  sql`SELECT ${key}, SUM(weight) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - weight AS before
    FROM (SELECT ${key}, weight, ROW_NUMBER() OVER () AS place
      FROM (SELECT ${key}, ${bytes} + ${rowBytes} AS weight FROM ${from} LIMIT ${Math.ceil(MOST_BYTES / rowBytes) + 1}))`

/** Selects the keys of as many rows, in their order, as one write may delete: at least one. */
export const fewOf = (rows: Weighed): Statement =>
  sql`SELECT ${rows.key} FROM (${weighed(rows)}) WHERE before < ${MOST_BYTES} ORDER BY before`

const weighedJob = row({ id: text, bytes: number })

export type WeighedJob = RowOf<typeof weighedJob>

/** Whether one write may delete no more than these. */
export const isFull = (owners: readonly Readonly<{ bytes: number }>[]): boolean =>
  owners.reduce((sum, { bytes }) => sum + bytes + OWNER_BYTES, 0) >= MOST_BYTES

/** Lists ended jobs with their bytes, oldest first, without those that an open step of a flow run needs. */
export const listEndedJobs = (
  db: Database,
  { ws, endedBefore, afterId, lastId, limit }: EndedJobsQuery,
): Promise<readonly WeighedJob[]> =>
  weighedJob.all(
    db,
    sql`SELECT id, ${sizeOf('result')}
        + COALESCE((SELECT ${sizeOf('input')} FROM job_inputs WHERE job_id = jobs.id), 0) AS bytes
      FROM ${oldJobs({ ws, endedBefore, afterId, lastId })}
        AND completed_at < ${endedBefore}
        AND NOT ${isOfOpenStep('jobs', 'flow_run_id', 'flow_index')}
      ORDER BY id LIMIT ${limit}`,
  )

const longTable = (table: string, key: string, ...large: readonly string[]) => ({
  table: raw(table),
  key: raw(key),
  bytes: sizeOf(...large),
  isLarge: false,
})
/** A table whose rows may have megabytes. */
const largeTable = (...table: Parameters<typeof longTable>) => ({
  ...longTable(...table),
  isLarge: true,
})
const EVENT_WAITS = longTable('event_waits', 'id', 'key')

/** Tables of which a single job or flow run may have thousands of rows or megabytes, with their primary keys. */
const LONG_TABLES = {
  jobs: {
    owner: raw('job_id'),
    tables: [
      largeTable('job_steps', 'job_id, name', 'result', 'error'),
      longTable('job_starts', 'job_id, key', 'target'),
      longTable('job_logs', 'job_id, attempt, seq', 'chunk'),
      longTable('job_history', 'job_id, first', 'entries'),
    ],
  },
  flow_runs: {
    owner: raw('run_id'),
    tables: [
      largeTable('flow_steps', 'run_id, step_index', 'result', 'error', 'frame', 'shown'),
      largeTable('flow_slots', 'run_id, step_index, slot', 'input'),
      longTable('approvals', 'run_id, step_index, approver', 'form'),
    ],
  },
}

export type Owner = Readonly<{ ws: string; id: string }>
/** Jobs or flow runs. Those that have not ended are passed over. */
export type Owners = Readonly<{ kind: keyof typeof LONG_TABLES; list: readonly Owner[] }>

/** Selects columns of those that have ended. */
const endedOf = ({ kind, list }: Owners, columns: string): Statement =>
  sql`(SELECT ${raw(columns)} FROM json_each(${JSON.stringify(list)}) each CROSS JOIN ${raw(kind)}
    WHERE ws = each.value ->> 'ws' AND ${raw(kind)}.id = each.value ->> 'id' AND completed_at IS NOT NULL)`

type Backend = Pick<Database, 'backend'>

const longRows = (
  { backend }: Backend,
  { kind, list }: Owners,
): readonly (Weighed & Readonly<{ table: Statement }>)[] => {
  const ended = endedOf({ kind, list }, `${kind}.id`)
  const { owner, tables } = LONG_TABLES[kind]
  return [
    ...tables.map(({ isLarge, ...rows }) => ({
      ...rows,
      rowBytes: isLarge ? LARGE_ROW_BYTES[backend] : ROW_BYTES,
      from: sql`${rows.table} WHERE ${owner} IN ${ended}`,
    })),
    { ...EVENT_WAITS, from: sql`event_waits WHERE owner_id IN ${ended}` },
  ]
}

/** Returns whether a table has more rows of these jobs or runs than one write may delete. */
export const haveManyRows = (db: Database, owners: Owners): Promise<boolean> => {
  const more = longRows(db, owners).map(
    (rows) => sql`EXISTS (SELECT 1 FROM (${weighed(rows)}) WHERE before >= ${MOST_BYTES})`,
  )
  return exists(db, sql`SELECT 1 WHERE ${join(more, ' OR ')}`)
}

/** Deletes some rows of each of these tables. Those of jobs and runs that have not ended remain. */
export const deleteSomeRows = (db: Backend, owners: Owners): readonly Statement[] =>
  longRows(db, owners).map(
    (rows) => sql`DELETE FROM ${rows.table} WHERE (${rows.key}) IN (${fewOf(rows)})`,
  )

/** Tables of rows that belong to jobs, by what finds those of a job: its id, or its workspace and id. */
export const TABLES_OF_JOBS = {
  byId: [
    'job_inputs',
    'job_logs',
    'job_attempts',
    'job_starts',
    'job_steps',
    'job_history',
    'view_tokens',
  ],
  byWorkspace: ['job_dismissals', 'job_labels'],
} as const
/** The same of flow runs. */
export const TABLES_OF_FLOW_RUNS = {
  byId: ['flow_steps', 'flow_slots', 'approvals'],
  byWorkspace: ['flow_run_dismissals', 'flow_run_labels'],
} as const
/** Tables of rows that belong to jobs and flow runs; `owner_id` names them. */
export const TABLES_OF_OWNERS = ['traces', 'event_waits'] as const

/** Deletes jobs with all that belongs to them. Running or queued jobs remain, even if they are in the list. */
export const deleteEndedJobs = (ws: string, ids: readonly string[]): readonly Statement[] => {
  const isListed = sql`IN ${listed(ids)}`
  const isGone = (id: string): Statement =>
    sql`NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ws = ${ws} AND jobs.id = ${raw(id)})`
  return [
    sql`DELETE FROM jobs WHERE ws = ${ws} AND id ${isListed} AND completed_at IS NOT NULL`,
    ...TABLES_OF_JOBS.byId.map(
      (table) =>
        sql`DELETE FROM ${raw(table)} WHERE job_id ${isListed} AND ${isGone(`${table}.job_id`)}`,
    ),
    ...TABLES_OF_JOBS.byWorkspace.map(
      (table) =>
        sql`DELETE FROM ${raw(table)} WHERE ws = ${ws} AND job_id ${isListed} AND ${isGone(`${table}.job_id`)}`,
    ),
    ...TABLES_OF_OWNERS.map(
      (table) =>
        sql`DELETE FROM ${raw(table)} WHERE owner_id ${isListed} AND ${isGone(`${table}.owner_id`)}`,
    ),
  ]
}

const endedRuns = (endedBefore: number): Statement =>
  sql`flow_runs INDEXED BY flow_runs_ended
    WHERE completed_at IS NOT NULL AND completed_at < ${endedBefore}
      AND NOT ${isOfOpenStep('flow_runs', 'parent_run_id', 'parent_index')}`

const weighedRun = row({ ws: text, id: text, completedAt: time, bytes: number })

export type WeighedRun = RowOf<typeof weighedRun>

/** Lists flow runs that ended before this time with their bytes, oldest first, behind `after`, which is null for all. */
export const listEndedFlowRuns = (
  db: Database,
  endedBefore: number,
  { after, limit }: Readonly<{ after: WeighedRun | null; limit: number }>,
): Promise<readonly WeighedRun[]> => {
  const isNext =
    after === null
      ? TRUE
      : sql`(completed_at, ws, id) > (${after.completedAt}, ${after.ws}, ${after.id})`
  return weighedRun.all(
    db,
    sql`SELECT ws, id, completed_at, ${sizeOf('input', 'result', 'error', 'failure', 'trigger')} AS bytes
      FROM ${endedRuns(endedBefore)} AND ${isNext} ORDER BY completed_at, ws, id LIMIT ${limit}`,
  )
}

/** Deletes ended runs with all that belongs to them, the runs last. Their jobs are kept as long as other jobs. */
export const deleteEndedFlowRuns = (runs: readonly Owner[]): readonly Statement[] => {
  const owners = { kind: 'flow_runs', list: runs } as const
  const ids = endedOf(owners, 'flow_runs.id')
  const keys = endedOf(owners, 'ws, flow_runs.id')
  return [
    ...TABLES_OF_FLOW_RUNS.byId.map(
      (table) => sql`DELETE FROM ${raw(table)} WHERE run_id IN ${ids}`,
    ),
    ...TABLES_OF_OWNERS.map((table) => sql`DELETE FROM ${raw(table)} WHERE owner_id IN ${ids}`),
    ...TABLES_OF_FLOW_RUNS.byWorkspace.map(
      (table) => sql`DELETE FROM ${raw(table)} WHERE (ws, run_id) IN ${keys}`,
    ),
    sql`DELETE FROM flow_runs WHERE (ws, id) IN ${keys}`,
  ]
}

const isExpired = sql`expires_at <= ${SQL_NOW}`
const isLongExpired = sql`expires_at < ${SQL_NOW} - ${30 * DAY_MS}`
const isDayOld = (column: string): Statement => sql`${raw(column)} < ${SQL_NOW} - ${DAY_MS}`

/** A table whose rows expire, with its primary key, the condition for deletion, and the bytes of large values. */
const expiring = (
  table: string,
  key: string,
  condition: Statement,
  bytes: Statement | null = null,
) => ({ table: raw(table), key: raw(key), condition, bytes })

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
  // the commit that ended the session has overwritten the content; in the same one, SQLite would leave out pages that it frees
  expiring(
    'relay_material',
    'id',
    sql`EXISTS (SELECT 1 FROM relay_sessions r WHERE r.id = relay_material.id AND r.ended_at IS NOT NULL)`,
  ),
  // an ended session shows for a day how it ended
  expiring('relay_sessions', 'id', isDayOld('ended_at')),
  // counters of tags and apps whose jobs have all left the queue
  expiring('queue_counts', 'ws, tag, app, ready', sql`n = 0`),
  // older than any rate limit window
  expiring('rate_starts', 'key, seq', isDayOld('at')),
  expiring('guesses', 'bucket, at, id', isDayOld('at')),
  expiring('event_starts', 'id', isDayOld('at')),
  // an event that a run or job has taken is kept until it has continued with it
  expiring(
    'events',
    'ws, id',
    sql`${isDayOld('at')} AND NOT EXISTS (SELECT 1 FROM event_waits w JOIN flow_runs r
      ON r.ws = w.ws AND r.id = w.owner_id AND r.completed_at IS NULL AND r.step_index = w.position
      WHERE w.event_id = events.id AND w.owner_kind = 'flow')
      AND NOT EXISTS (SELECT 1 FROM event_waits w JOIN job_steps s
      ON s.job_id = w.owner_id AND s.name = w.step AND s.status = 'running'
      WHERE w.event_id = events.id AND w.owner_kind = 'job')`,
    sizeOf('data'),
  ),
]

const hasExpired = EXPIRING.map(
  ({ table, condition }) => sql`EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`,
)

/** `found` is 1 if a table has expired rows. It only reads, so that an idle node writes nothing. */
export const findExpired = sql`SELECT ${join(hasExpired, ' OR ')} AS found`

/** Deletes up to `limit` expired rows of each table. */
export const deleteExpired = ({ backend }: Backend, limit: number): readonly Statement[] =>
  EXPIRING.map(({ table, key, condition, bytes }) => {
    const from = sql`${table} WHERE ${condition}`
    const some =
      bytes === null
        ? sql`SELECT ${key} FROM ${from} LIMIT ${limit}`
        : fewOf({ key, bytes, rowBytes: LARGE_ROW_BYTES[backend], from })
    return sql`DELETE FROM ${table} WHERE (${key}) IN (${some})`
  })
