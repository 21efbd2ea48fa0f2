/**
 * Lists jobs in pages by key (ws, id), newest first. Ids are UUIDv7, so new jobs appear before the first page and never on a
 * later one. Each selective filter has its own index, named here, so that a page costs only what it shows.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JobStatus } from '#core/job/transitions.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import type { Reader, Statement } from '../database.ts'
import { text } from '../row.ts'
import { allOf, join, raw, sql } from '../sql.ts'
import { ID_SLACK_MS, largestIdAt, smallestIdAt } from '../uuid-bounds.ts'
import { JOB_COLUMNS, JOB_TABLES, type Job, toJob } from './read.ts'

export type JobFilter = Readonly<{
  /** An empty list selects all statuses. */
  statuses: readonly JobStatus[]
  app: string | null
  action: string | null
  triggerKind: TriggerKind | null
  /** Milliseconds since 1970. Both bounds are inclusive. */
  since: number | null
  until: number | null
  /** True for only suspended jobs, false for only the others, null for both. */
  isSuspended?: boolean | null
  /** True for only dismissed jobs, false for only the others, null for both. */
  isDismissed?: boolean | null
  /** Only jobs with these ids. */
  ids?: readonly string[]
  /** Only jobs of this flow run; null for any, including none. */
  flowRunId?: string | null
  /** True for only jobs of flow runs, false for only the others, null for both. */
  isInFlow?: boolean | null
}>

export type JobPage = Readonly<{ beforeId: string | null; limit: number }>

const isOpen = (status: JobStatus): boolean => status === 'queued' || status === 'running'
const isUnsuccessful = (status: JobStatus): boolean => status === 'failure' || status === 'canceled'

const SUSPENDED = "jobs.status = 'queued' AND jobs.ready = 0 AND jobs.suspended_kind IS NOT NULL"

const dismissedIn = (ws: string): Statement =>
  sql`SELECT m.job_id FROM job_dismissals m WHERE m.ws = ${ws}`

/** Returns the most selective index, and the condition that SQLite needs to use it if it is a partial index. */
const narrowest = ({
  statuses,
  app,
  isSuspended = null,
  isDismissed = null,
  ids,
  flowRunId = null,
}: JobFilter): Readonly<{ index: string; condition: string }> => {
  if (flowRunId !== null) {
    return { index: 'INDEXED BY jobs_of_run', condition: 'jobs.flow_run_id IS NOT NULL' }
  }
  // the primary key finds each job
  if (ids !== undefined || isDismissed === true) return { index: '', condition: '1' }
  if (isSuspended === true) return { index: 'INDEXED BY jobs_suspended', condition: SUSPENDED }
  if (statuses.length > 0 && statuses.every(isOpen)) {
    return { index: 'INDEXED BY jobs_open', condition: 'jobs.completed_at IS NULL' }
  }
  if (statuses.length > 0 && statuses.every(isUnsuccessful)) {
    const condition = "jobs.status IN ('failure', 'canceled')"
    return { index: 'INDEXED BY jobs_unsuccessful', condition }
  }
  return { index: app === null ? '' : 'INDEXED BY jobs_by_app', condition: '1' }
}

const matches = (ws: string, filter: JobFilter): Statement => {
  const { statuses, app, action, triggerKind, since, until, isSuspended, isDismissed, ids } = filter
  const { flowRunId = null, isInFlow = null } = filter
  const listed = join(
    statuses.map((status) => sql`${status}`),
    ', ',
  )
  return allOf(
    ids === undefined
      ? null
      : sql`jobs.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    statuses.length === 0 ? null : sql`jobs.status IN (${listed})`,
    app === null ? null : sql`jobs.app = ${app}`,
    action === null ? null : sql`jobs.action = ${action}`,
    isDismissed === true ? sql`jobs.id IN (${dismissedIn(ws)})` : null,
    isDismissed === false ? sql`NOT EXISTS (${dismissedIn(ws)} AND m.job_id = jobs.id)` : null,
    isSuspended === false ? raw(`NOT (${SUSPENDED})`) : null,
    triggerKind === null ? null : sql`jobs.trigger_kind = ${triggerKind}`,
    flowRunId === null ? null : sql`jobs.flow_run_id = ${flowRunId}`,
    isInFlow === null ? null : raw(`jobs.flow_run_id IS ${isInFlow ? 'NOT NULL' : 'NULL'}`),
    // the bound on the id ends the scan; the bound on created_at is exact
    since === null
      ? null
      : sql`jobs.id >= ${smallestIdAt(since - ID_SLACK_MS)} AND jobs.created_at >= ${since}`,
    until === null
      ? null
      : sql`jobs.id <= ${largestIdAt(until + ID_SLACK_MS)} AND jobs.created_at <= ${until}`,
  )
}

/** Selects `columns` of the jobs after `beforeId`, newest first. */
const pageOf = (
  columns: string,
  ws: string,
  {
    beforeId,
    limit,
    fromId = null,
    ...filter
  }: JobFilter & JobPage & Readonly<{ fromId?: string | null }>,
): Statement => {
  const { index, condition } = narrowest(filter)
  const conditions = allOf(
    sql`jobs.ws = ${ws}`,
    raw(condition),
    matches(ws, filter),
    beforeId === null ? null : sql`jobs.id < ${beforeId}`,
    fromId === null ? null : sql`jobs.id >= ${fromId}`,
  )
  return sql`SELECT ${raw(columns)} FROM jobs ${raw(index)} WHERE ${conditions} ORDER BY jobs.id DESC LIMIT ${limit}`
}

const readJobs = async (db: Reader, found: Statement): Promise<readonly Job[]> => {
  const rows = await db.all(
    sql`SELECT ${raw(JOB_COLUMNS)} FROM (${found}) AS ${raw(JOB_TABLES)} ORDER BY jobs.id DESC`,
  )
  return rows.map(toJob)
}

/** Jobs that one query of a search examines. It takes about 10 ms, during which a file database blocks the process. */
const JOBS_PER_LOOK = 10_000

/** Whether a query might examine a million jobs without a match: no index covers the action and the kind of trigger. */
const isSearch = ({
  action,
  triggerKind,
  ids,
  flowRunId = null,
  isDismissed,
}: JobFilter): boolean =>
  (action !== null || triggerKind !== null) &&
  ids === undefined &&
  flowRunId === null &&
  isDismissed !== true

/** Returns the id of the last of the next `count` jobs after `beforeId`; null if there are fewer. */
const endOfLook = (
  db: Reader,
  ws: string,
  { beforeId, count, ...filter }: JobFilter & Readonly<{ beforeId: string | null; count: number }>,
): Promise<string | null> => {
  const { index, condition } = narrowest(filter)
  const { app, since, until } = filter
  const conditions = allOf(
    sql`jobs.ws = ${ws}`,
    raw(condition),
    matches(ws, { statuses: [], app, action: null, triggerKind: null, since, until }),
    beforeId === null ? null : sql`jobs.id < ${beforeId}`,
  )
  return text.nullable.one(
    db,
    sql`SELECT (SELECT jobs.id FROM jobs ${raw(index)} WHERE ${conditions}
      ORDER BY jobs.id DESC LIMIT 1 OFFSET ${count - 1})`,
  )
}

/**
 * Lists jobs, newest first. A search that finds few jobs examines all of them, in parts, and lets other work run in between.
 * @param perLook jobs that one part examines
 */
export const listJobs = async (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: JobFilter & JobPage,
  perLook: number = JOBS_PER_LOOK,
): Promise<readonly Job[]> => {
  if (!isSearch(filter)) return readJobs(db, pageOf('*', ws, { ...filter, beforeId, limit }))
  const found: Job[] = []
  let before = beforeId
  for (;;) {
    const fromId = await endOfLook(db, ws, { ...filter, beforeId: before, count: perLook })
    const part = { ...filter, beforeId: before, fromId, limit: limit - found.length }
    found.push(...(await readJobs(db, pageOf('*', ws, part))))
    if (fromId === null || found.length >= limit) return found
    before = fromId
    await nextTurn()
  }
}

/** Limit of jobs that a page examines. Passing over that many children of flow runs costs 2 ms. */
const MOST_PASSED = 2_000

export type RootJobPage = Readonly<{
  jobs: readonly Job[]
  /** The page contains all matching jobs down to this id; null if it has reached the last job. */
  reachedId: string | null
}>

/**
 * Lists jobs without those of flow runs, newest first. It examines a limited number of jobs, because a run may have any number
 * of them and no index skips them. So a page may be short or empty without being the last one.
 */
export const listRootJobs = async (
  db: Reader,
  ws: string,
  { limit, ...page }: JobFilter & JobPage,
): Promise<RootJobPage> => {
  const seen = pageOf('jobs.id, jobs.flow_run_id', ws, { ...page, limit: MOST_PASSED })
  const roots = sql`SELECT id FROM (${seen}) WHERE flow_run_id IS NULL ORDER BY id DESC LIMIT ${limit}`
  const jobs = await readJobs(
    db,
    sql`SELECT * FROM jobs WHERE jobs.ws = ${ws} AND jobs.id IN (${roots})`,
  )
  if (jobs.length === limit) return { jobs, reachedId: jobs.at(-1)?.id ?? null }
  const reachedId = await text.nullable.one(
    db,
    sql`SELECT CASE WHEN count(*) = ${MOST_PASSED} THEN min(id) END FROM (${seen})`,
  )
  return { jobs, reachedId }
}

export type JobMatch = Readonly<{
  ws: string
  /** Only jobs that this identity created; null for all. */
  createdBy: string | null
  filter: JobFilter
}>

/** Selects the ids of all matching jobs, in no particular order. Without statuses it selects none. */
export const jobsThatMatch = ({ ws, createdBy, filter }: JobMatch): Statement => {
  const { index, condition } = narrowest(filter)
  return sql`SELECT jobs.id FROM jobs ${raw(index)} WHERE ${allOf(
    sql`jobs.ws = ${ws}`,
    raw(filter.statuses.length === 0 ? '0' : condition),
    matches(ws, filter),
    createdBy === null ? null : sql`jobs.created_by = ${createdBy}`,
  )}`
}
