/**
 * Lists jobs in pages by key (ws, id), newest first. Ids are UUIDv7, so new jobs appear before the first page and never on a
 * later one. Each selective filter has its own index, named here, so that a page costs only what it shows.
 */
import type { JobStatus } from '#core/job/transitions.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import { asTextOrNull } from '../column.ts'
import type { Reader, Statement } from '../database.ts'
import { bool, row, text } from '../row.ts'
import { type IdPage, type OrderedList, positionOf, searchRows } from '../search.ts'
import { allOf, listed, raw, sql, TRUE, valueList } from '../sql.ts'
import { idSpan } from '../uuid-bounds.ts'
import { hasLabel } from './labels.ts'
import {
  JOB_COLUMNS,
  JOB_TABLES,
  type Job,
  SEALED_COLUMNS,
  type SealedAt,
  toJob,
  toSealedAt,
} from './read.ts'

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
  /** Only jobs with this label; null for any. */
  label?: string | null
}>

export type ListedJob = Job &
  Readonly<{
    sealed: SealedAt | null
    /** The result of a failed job; null for others. */
    errorJson: string | null
  }>

const isOpen = (status: JobStatus): boolean => status === 'queued' || status === 'running'
const isUnsuccessful = (status: JobStatus): boolean => status === 'failure' || status === 'canceled'

const SUSPENDED = "jobs.status = 'queued' AND jobs.ready = 0 AND jobs.suspended_kind IS NOT NULL"

type Narrowed = Readonly<{ from: string; within: Statement; key: string; rest: JobFilter }>

const indexed = (index: string): string => `jobs INDEXED BY ${index}`

/**
 * Returns the most selective index, the condition that it answers or that SQLite needs to use it if it is a partial index, and the
 * filter that is left.
 */
const narrowest = (ws: string, filter: JobFilter): Narrowed => {
  const { statuses, app, isSuspended = null, isDismissed = null, flowRunId = null } = filter
  const { label = null } = filter
  const byId = { from: 'jobs', within: TRUE, key: 'jobs.id', rest: filter }
  if (flowRunId !== null) {
    const within = sql`jobs.flow_run_id = ${flowRunId}`
    return { ...byId, from: indexed('jobs_of_run'), within, rest: { ...filter, flowRunId: null } }
  }
  if (filter.ids !== undefined) {
    const { ids, ...rest } = filter
    const within = sql`jobs.id IN ${listed(ids)}`
    return { ...byId, within, rest }
  }
  if (label !== null) {
    const from =
      'job_labels m INDEXED BY job_labels_found CROSS JOIN jobs ON jobs.ws = m.ws AND jobs.id = m.job_id'
    const within = sql`m.ws = ${ws} AND m.label = ${label}`
    return { from, within, key: 'm.job_id', rest: { ...filter, label: null } }
  }
  if (isDismissed === true) {
    const from = 'job_dismissals m CROSS JOIN jobs ON jobs.ws = m.ws AND jobs.id = m.job_id'
    const rest = { ...filter, isDismissed: null }
    return { from, within: sql`m.ws = ${ws}`, key: 'm.job_id', rest }
  }
  if (isSuspended === true) {
    const rest = { ...filter, isSuspended: null }
    return { ...byId, from: indexed('jobs_suspended'), within: raw(SUSPENDED), rest }
  }
  if (statuses.length > 0 && statuses.every((status) => status === 'running')) {
    // far fewer jobs run than wait; their index has no order, so each page sorts their ids
    const within = sql`jobs.id IN (SELECT r.id FROM jobs r INDEXED BY jobs_running WHERE r.ws = ${ws} AND r.status = 'running')`
    return { ...byId, within, rest: { ...filter, statuses: [] } }
  }
  if (statuses.length > 0 && statuses.every(isOpen)) {
    return { ...byId, from: indexed('jobs_open'), within: raw('jobs.completed_at IS NULL') }
  }
  if (statuses.length > 0 && statuses.every(isUnsuccessful)) {
    const within = raw("jobs.status IN ('failure', 'canceled')")
    return { ...byId, from: indexed('jobs_unsuccessful'), within }
  }
  if (app === null) return byId
  const rest = { ...filter, app: null }
  return { ...byId, from: indexed('jobs_by_app'), within: sql`jobs.app = ${app}`, rest }
}

/** Returns the conditions of the filter that `narrowest` left. */
const matches = (filter: JobFilter): Statement => {
  const { statuses, app, action, triggerKind, since, until } = filter
  const { isSuspended = null, isDismissed = null, isInFlow = null, label = null } = filter
  return allOf(
    statuses.length === 0 ? null : sql`jobs.status IN (${valueList(statuses)})`,
    app === null ? null : sql`jobs.app = ${app}`,
    action === null ? null : sql`jobs.action = ${action}`,
    isDismissed === null
      ? null
      : sql`${raw(isDismissed ? 'EXISTS' : 'NOT EXISTS')} (SELECT 1 FROM job_dismissals d
          WHERE d.ws = jobs.ws AND d.job_id = jobs.id)`,
    isSuspended === false ? raw(`NOT (${SUSPENDED})`) : null,
    triggerKind === null ? null : sql`jobs.trigger_kind = ${triggerKind}`,
    label === null ? null : hasLabel(label),
    isInFlow === null ? null : raw(`jobs.flow_run_id IS ${isInFlow ? 'NOT NULL' : 'NULL'}`),
    // the span of ids ends the scan; the bounds on created_at are exact
    since === null ? null : sql`jobs.created_at >= ${since}`,
    until === null ? null : sql`jobs.created_at <= ${until}`,
  )
}

const listOf = (ws: string, filter: JobFilter): OrderedList => {
  const { from, within, key, rest } = narrowest(ws, filter)
  return {
    from: raw(from),
    within: allOf(sql`jobs.ws = ${ws}`, within),
    span: idSpan(filter),
    matching: matches(rest),
    key: [key],
  }
}

// read apart, because results are stored behind the other columns and may be large
const ERROR = raw(`CASE WHEN jobs.status = 'failure' THEN
  (SELECT e.result FROM jobs e WHERE e.ws = jobs.ws AND e.id = jobs.id) END AS error`)

const readJobs = async (db: Reader, found: Statement): Promise<readonly ListedJob[]> => {
  const rows = await db.all(
    sql`SELECT ${JOB_COLUMNS}, ${SEALED_COLUMNS}, ${ERROR}
      FROM (${found}) AS ${raw(JOB_TABLES)} ORDER BY jobs.id DESC`,
  )
  return rows.map((each) => ({
    ...toJob(each),
    sealed: toSealedAt(each),
    errorJson: asTextOrNull(each.error),
  }))
}

/** Lists jobs, newest first. @param rowsPerPart jobs that a search looks at before other work runs */
export const listJobs = (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: JobFilter & IdPage,
  rowsPerPart?: number,
): Promise<readonly ListedJob[]> =>
  searchRows(db, listOf(ws, filter), {
    columns: raw('jobs.*'),
    read: (page) => readJobs(db, page),
    before: positionOf(beforeId),
    limit,
    ...(rowsPerPart === undefined ? {} : { rowsPerPart }),
  })

/** Limit of jobs that a page passes. Passing over that many children of flow runs costs 2 ms. */
const MOST_PASSED = 2_000

export type RootJobPage = Readonly<{
  jobs: readonly ListedJob[]
  /** The page contains all matching jobs down to this id; null if it has reached the last job. */
  reachedId: string | null
}>

const passedRow = row({ id: text, isInFlow: bool(sql`jobs.flow_run_id IS NOT NULL`) })

/**
 * Lists jobs without those of flow runs, newest first. It passes a limited number of jobs, because a run may have any number
 * of them and no index skips them. So a page may be short or empty without being the last one.
 */
export const listRootJobs = async (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: JobFilter & IdPage,
): Promise<RootJobPage> => {
  const passed = await searchRows(db, listOf(ws, filter), {
    columns: passedRow.columns('jobs'),
    read: (page) => passedRow.all(db, page),
    before: positionOf(beforeId),
    limit: MOST_PASSED,
  })
  const roots = passed.filter(({ isInFlow }) => !isInFlow).slice(0, limit)
  const ids = listed(roots.map(({ id }) => id))
  const jobs = await readJobs(
    db,
    sql`SELECT * FROM jobs WHERE jobs.ws = ${ws} AND jobs.id IN ${ids}`,
  )
  if (roots.length === limit) return { jobs, reachedId: roots.at(-1)?.id ?? null }
  return { jobs, reachedId: passed.length === MOST_PASSED ? (passed.at(-1)?.id ?? null) : null }
}

export type JobMatch = Readonly<{
  ws: string
  /** Only jobs that this identity created; null for all. */
  createdBy: string | null
  filter: JobFilter
}>

/** Lists the ids of up to `limit` matching jobs, newest first. Without statuses there are none. */
export const listMatching = async (
  db: Reader,
  { ws, createdBy, filter }: JobMatch,
  limit: number,
): Promise<readonly string[]> => {
  if (filter.statuses.length === 0) return []
  const list = listOf(ws, filter)
  const isOwn = createdBy === null ? null : sql`jobs.created_by = ${createdBy}`
  const own = { ...list, matching: allOf(list.matching, isOwn) }
  return searchRows(db, own, {
    columns: raw('jobs.id'),
    read: (page) => text.all(db, page),
    before: null,
    limit,
  })
}
