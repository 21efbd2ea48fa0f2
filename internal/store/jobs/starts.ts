/** What a job has started, by the number of its call [jobs 15.3], and what these starts take over from the job. */
import type { Database, Statement } from '../database.ts'
import type { KeyedTable } from '../idempotency-keys.ts'
import { bool, number, type RowOf, row, text } from '../row.ts'
import { raw, sql, TRUE } from '../sql.ts'
import type { Claim } from './lease.ts'

/** Identifies a call of a job. */
export type StartKey = Readonly<{ jobId: string; key: string }>

export type Start = StartKey &
  Readonly<{
    /** What the call starts (`targetText` of core/job/start-call.ts). */
    target: string
    /** The started job, flow run or event. */
    startedId: string
  }>

const isAt = ({ jobId, key }: StartKey): Statement => sql`job_id = ${jobId} AND key = ${key}`

/** Records the call for `startedId`, unless an earlier attempt has made it. @param guard a condition */
export const insertStart = (start: Start, guard: Statement = TRUE): Statement =>
  sql`INSERT INTO job_starts (job_id, key, target, started_id)
    SELECT ${start.jobId}, ${start.key}, ${start.target}, ${start.startedId} WHERE ${guard}
    ON CONFLICT DO NOTHING`

/** A condition for the insert of a job or flow run: the call is recorded for it. */
export const holdsStart = (start: Start): Statement =>
  sql`EXISTS (SELECT 1 FROM job_starts WHERE ${isAt(start)} AND started_id = ${start.startedId})`

/** Deletes the record of a call that started nothing. */
export const deleteStart = (
  start: Start & Readonly<{ ws: string }>,
  table: KeyedTable,
): Statement =>
  sql`DELETE FROM job_starts WHERE ${isAt(start)} AND started_id = ${start.startedId}
    AND NOT EXISTS (SELECT 1 FROM ${raw(table)} made WHERE made.ws = ${start.ws} AND made.id = ${start.startedId})`

/** Moves the call to another job, if the statement right before it changed one row. */
export const moveStart = (start: Start, toId: Statement): Statement =>
  sql`UPDATE job_starts SET started_id = ${toId}
    WHERE ${isAt(start)} AND started_id = ${start.startedId} AND changes() = 1`

const startRow = row({ target: text, startedId: text })

/** Finds the recorded start under this key. */
export const findStart = (db: Database, at: StartKey): Promise<RowOf<typeof startRow> | null> =>
  startRow.one(db, sql`SELECT ${startRow.columns()} FROM job_starts WHERE ${isAt(at)}`)

/** The job whose id numbers the calls of a job: in a flow that of the step's first attempt, which is a job of its own. */
const CALLS_OF = sql`COALESCE((SELECT first.id FROM jobs first INDEXED BY jobs_by_flow
    WHERE first.flow_run_id = jobs.flow_run_id AND first.flow_index = jobs.flow_index AND first.flow_slot = jobs.flow_slot
      AND first.ws = jobs.ws AND first.flow_attempt = 1 LIMIT 1), jobs.id)`

const starterRow = row({
  permissionedAs: text,
  customerId: text.nullable,
  chainDepth: number,
  holdsAppsWrite: bool,
  callsOf: text(CALLS_OF),
})
/** What the jobs that a job starts take over from it. */
export type Starter = RowOf<typeof starterRow>

/** Finds what the jobs that a job starts take over from it. */
export const findStarter = (
  db: Database,
  { ws, id }: Pick<Claim, 'ws' | 'id'>,
): Promise<Starter | null> =>
  starterRow.one(db, sql`SELECT ${starterRow.columns()} FROM jobs WHERE ws = ${ws} AND id = ${id}`)
