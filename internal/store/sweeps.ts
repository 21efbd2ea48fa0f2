/**
 * What time takes away: ended jobs after the retention window, and whatever has expired. Each statement takes a bounded
 * number of rows, so that a sweep never holds the writer for long, and each is found by an index, so that a sweep with
 * nothing to do costs nothing. The ledger is never swept [jobs 13.3].
 */
import { asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'
import { ID_SLACK_MS, largestIdAt } from './uuid-bounds.ts'

export type EndedJobsQuery = Readonly<{
  ws: string
  /** Milliseconds since 1970: ended before. */
  endedBefore: number
  /** Empty: from the oldest. */
  afterId: string
  limit: number
}>

/** Ids of ended jobs, oldest first. A job ends after it was made, so the scan stops at ids of the window's border. */
export const listEndedJobIds = async (
  db: Database,
  { ws, endedBefore, afterId, limit }: EndedJobsQuery,
): Promise<readonly string[]> => {
  const rows = await db.all(
    sql(
      `SELECT id FROM jobs WHERE ws = ? AND id > ? AND id <= ? AND completed_at < ?
       ORDER BY id LIMIT ?`,
      ws,
      afterId,
      largestIdAt(endedBefore + ID_SLACK_MS),
      endedBefore,
      limit,
    ),
  )
  return rows.map((row) => asText(row.id))
}

const IDS = '(SELECT value FROM json_each(?))'

/** Jobs with all that hangs on them. Running or queued jobs stay, whatever the list says. */
export const deleteEndedJobs = (ws: string, ids: readonly string[]): readonly Statement[] => {
  const list = JSON.stringify(ids)
  return [
    sql(`DELETE FROM jobs WHERE ws = ? AND id IN ${IDS} AND completed_at IS NOT NULL`, ws, list),
    ...['job_inputs', 'job_logs', 'job_attempts', 'view_tokens'].map((table) =>
      sql(
        `DELETE FROM ${table} WHERE job_id IN ${IDS}
           AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ws = ? AND jobs.id = ${table}.job_id)`,
        list,
        ws,
      ),
    ),
  ]
}

const endedRuns = (columns: string): string =>
  `SELECT ${columns} FROM flow_runs INDEXED BY flow_runs_ended
   WHERE completed_at IS NOT NULL AND completed_at < ? ORDER BY completed_at, ws, id LIMIT ?`

/** A look without a write: an idle node writes nothing. */
export const hasEndedFlowRuns = async (db: Database, endedBefore: number): Promise<boolean> =>
  (await db.one(sql(endedRuns('id'), endedBefore, 1))) !== null

/** Ended runs with all that hangs on them but their jobs, which have a window of their own. The runs go last. */
export const deleteEndedFlowRuns = (endedBefore: number, limit: number): readonly Statement[] => [
  ...['flow_steps', 'flow_slots', 'approvals'].map((table) =>
    sql(`DELETE FROM ${table} WHERE run_id IN (${endedRuns('id')})`, endedBefore, limit),
  ),
  sql(`DELETE FROM flow_runs WHERE (ws, id) IN (${endedRuns('ws, id')})`, endedBefore, limit),
]

const LONG_EXPIRED = `expires_at < ${SQL_NOW} - 30 * 86400000`

const EXPIRED = [
  ['sessions', 'id', `expires_at <= ${SQL_NOW}`],
  ['device_logins', 'id', `expires_at <= ${SQL_NOW}`],
  ['view_tokens', 'id', `expires_at <= ${SQL_NOW}`],
  ['idempotency_keys', 'ws, credential, route, key', `created_at < ${SQL_NOW} - 86400000`],
  ['nodes', 'id', `pinged_at < ${SQL_NOW} - 86400000`],
  // after a while in which people may still look them up
  [
    'flow_link_uses',
    'link_id, run_id',
    `link_id IN (SELECT id FROM flow_links WHERE ${LONG_EXPIRED})`,
  ],
  [
    'flow_links',
    'ws, id',
    `${LONG_EXPIRED} AND NOT EXISTS (SELECT 1 FROM flow_link_uses u WHERE u.link_id = flow_links.id)`,
  ],
  // ended ones tell how they ended for a day; what they held is overwritten already
  [
    'relay_material',
    'id',
    `id IN (SELECT id FROM relay_sessions WHERE ended_at < ${SQL_NOW} - 86400000)`,
  ],
  ['relay_sessions', 'id', `ended_at < ${SQL_NOW} - 86400000`],
  // of tags and apps whose jobs have all left the queue
  ['queue_counts', 'ws, tag, app, ready', 'n = 0'],
  ['guesses', 'bucket, at, id', `at < ${SQL_NOW} - 86400000`],
] as const

/** Which of them have rows to delete: a look, no write. */
export const findExpired: Statement = sql(
  `SELECT ${EXPIRED.map(([table, , condition]) => `EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`).join(' OR ')} AS found`,
)

export const deleteExpired = (limit: number): readonly Statement[] =>
  EXPIRED.map(([table, key, condition]) =>
    sql(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ?)`,
      limit,
    ),
  )
