/**
 * The job list: keyset over (ws, id) downwards. Ids are UUIDv7, so new jobs come before the first page and never into a
 * later one. Each filter that narrows much has an index of its own, named here, so that a page costs what it shows.
 */
import type { JobStatus } from '#core/job/transitions.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import { type Reader, type SqlValue, sql } from '../database.ts'
import { ID_SLACK_MS, largestIdAt, smallestIdAt } from '../uuid-bounds.ts'
import { JOB_COLUMNS, JOB_TABLES, type Job, toJob } from './read.ts'

export type JobFilter = Readonly<{
  /** Empty: all. */
  statuses: readonly JobStatus[]
  app: string | null
  action: string | null
  triggerKind: TriggerKind | null
  /** Milliseconds since 1970, both inclusive. */
  since: number | null
  until: number | null
}>

export type JobPage = Readonly<{ beforeId: string | null; limit: number }>

type Condition = Readonly<{ text: string; args: readonly SqlValue[] }>

const marks = (values: readonly SqlValue[]): string => values.map(() => '?').join(', ')

const isOpen = (status: JobStatus): boolean => status === 'queued' || status === 'running'
const isUnsuccessful = (status: JobStatus): boolean => status === 'failure' || status === 'canceled'

/** The index, and the condition by which SQLite may use it when it holds a part of the jobs only. */
const narrowest = ({ statuses, app }: JobFilter): Readonly<{ index: string; text: string }> => {
  if (statuses.length > 0 && statuses.every(isOpen)) {
    return { index: 'INDEXED BY jobs_open', text: 'jobs.completed_at IS NULL' }
  }
  if (statuses.length > 0 && statuses.every(isUnsuccessful)) {
    const text = "jobs.status IN ('failure', 'canceled')"
    return { index: 'INDEXED BY jobs_unsuccessful', text }
  }
  return { index: app === null ? '' : 'INDEXED BY jobs_by_app', text: '1' }
}

const conditionsOf = (filter: JobFilter): readonly Condition[] => {
  const { statuses, app, action, triggerKind, since, until } = filter
  return [
    ...(statuses.length === 0
      ? []
      : [{ text: `jobs.status IN (${marks(statuses)})`, args: statuses }]),
    ...(app === null ? [] : [{ text: 'jobs.app = ?', args: [app] }]),
    ...(action === null ? [] : [{ text: 'jobs.action = ?', args: [action] }]),
    ...(triggerKind === null ? [] : [{ text: 'jobs.trigger_kind = ?', args: [triggerKind] }]),
    // the bound on the id ends the scan, the one on created_at is exact
    ...(since === null
      ? []
      : [
          {
            text: 'jobs.id >= ? AND jobs.created_at >= ?',
            args: [smallestIdAt(since - ID_SLACK_MS), since],
          },
        ]),
    ...(until === null
      ? []
      : [
          {
            text: 'jobs.id <= ? AND jobs.created_at <= ?',
            args: [largestIdAt(until + ID_SLACK_MS), until],
          },
        ]),
  ]
}

/** Newest first. */
export const listJobs = async (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: JobFilter & JobPage,
): Promise<readonly Job[]> => {
  const { index, text } = narrowest(filter)
  const conditions = [
    ...conditionsOf(filter),
    ...(beforeId === null ? [] : [{ text: 'jobs.id < ?', args: [beforeId] }]),
  ]
  const rows = await db.all(
    sql(
      `SELECT ${JOB_COLUMNS} FROM (
         SELECT * FROM jobs ${index} WHERE jobs.ws = ? AND ${[text, ...conditions.map((each) => each.text)].join(' AND ')}
         ORDER BY jobs.id DESC LIMIT ?) AS ${JOB_TABLES} ORDER BY jobs.id DESC`,
      ws,
      ...conditions.flatMap(({ args }) => args),
      limit,
    ),
  )
  return rows.map(toJob)
}
