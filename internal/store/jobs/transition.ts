/**
 * Builds every statement that changes `jobs.status`, from core's state table. The guard, the new status and the columns that
 * the schema ties to the status come from the table, so an UPDATE that the table does not allow does not type-check. Callers
 * check how many rows changed.
 */
import {
  type EventFrom,
  fromOf,
  isTerminal,
  type JobEvent,
  type JobStatus,
  toOf,
} from '#core/job/transitions.ts'
import type { Statement } from '../database.ts'
import { join, raw, SQL_NOW, sql } from '../sql.ts'

/** The columns that an event may change in addition to the status. */
const COLUMNS = [
  'attempt',
  'began_at',
  'blocked',
  'cancel_by',
  'cancel_reason',
  'claim_id',
  'crash_count',
  'failure_count',
  'lease_ms',
  'lease_until',
  'paced',
  'ran_ms',
  'ready',
  'result',
  'run_at',
  'started_at',
  'suspended_kind',
  'suspended_name',
  'suspended_until',
  'worker',
] as const

const ALL_COLUMNS = ['status', 'completed_at', ...COLUMNS] as const
type AnyColumn = (typeof ALL_COLUMNS)[number]

export type Changes = Readonly<Partial<Record<(typeof COLUMNS)[number], Statement>>>
type AllChanges = Readonly<Partial<Record<AnyColumn, Statement>>>

const NOTHING = raw('')
const NULL = raw('NULL')
const READY = raw('1')

const STATUS: Readonly<Record<JobStatus, Statement>> = {
  queued: raw("'queued'"),
  running: raw("'running'"),
  success: raw("'success'"),
  failure: raw("'failure'"),
  canceled: raw("'canceled'"),
}

/** Returns the changes that the new status implies: only a running job has a lease, and a queued one has no worker. */
const changesOf = (event: JobEvent): AllChanges => {
  const from: JobStatus = fromOf(event)
  const to: JobStatus = toOf(event)
  if (from === to) return {}
  return {
    status: STATUS[to],
    ...(from === 'running' ? { lease_ms: NULL, lease_until: NULL } : {}),
    ...(to === 'queued' ? { ready: READY, claim_id: NULL, worker: NULL, started_at: NULL } : {}),
    ...(isTerminal(to) ? { completed_at: SQL_NOW } : {}),
  }
}

export type Update = Readonly<{
  /** Selects jobs. Columns of `jobs` have that prefix if another table has a column with the same name. */
  where: Statement
  /** Common table expressions. */
  with?: Statement
  /** Another table, which `where` joins. */
  from?: Statement
  indexedBy?: Statement
  returning?: Statement
}>

/** One of several events that a statement chooses from, row by row. */
export type Case<From extends JobStatus> = Readonly<{
  /** The last case applies if no other does. */
  when: Statement
  /** Null if the job keeps its status. */
  event: EventFrom<From> | null
  set?: Changes
}>

type Branch = Readonly<{ when: Statement; changes: AllChanges }>

const isSame = (a: Statement, b: Statement): boolean =>
  a.sql === b.sql && a.args.length === 0 && b.args.length === 0

/** Returns the value of a column by case. Equal cases at the end need no condition. */
const valueByCase = (column: AnyColumn, branches: readonly Branch[]): Statement => {
  const values = branches.map(({ when, changes }) => ({
    when,
    value: changes[column] ?? raw(`jobs.${column}`),
  }))
  const otherwise = values.at(-1)?.value ?? NULL
  const last = values.findLastIndex(({ value }) => !isSame(value, otherwise))
  if (last < 0) return otherwise
  const whens = values.slice(0, last + 1).map(({ when, value }) => sql`WHEN ${when} THEN ${value}`)
  return sql`CASE ${join(whens, ' ')} ELSE ${otherwise} END`
}

const part = (keyword: string, given: Statement | undefined): Statement =>
  given === undefined ? NOTHING : sql`${raw(keyword)} ${given}`

const update = (from: JobStatus, set: Statement, update: Update): Statement =>
  sql`${part('WITH', update.with)} UPDATE jobs ${part('INDEXED BY', update.indexedBy)} SET ${set}
    ${part('FROM', update.from)}
    WHERE ${update.where} AND jobs.status = ${STATUS[from]} ${part('RETURNING', update.returning)}`

const assign = (column: AnyColumn, value: Statement): Statement => sql`${raw(column)} = ${value}`

/** Moves the jobs that `where` selects through one event, if it is allowed from their status. */
export const transition = (
  event: JobEvent,
  { set = {}, ...rest }: Update & Readonly<{ set?: Changes }>,
): Statement => {
  const changes: AllChanges = { ...changesOf(event), ...set }
  const assignments = ALL_COLUMNS.flatMap((column) => {
    const value = changes[column]
    return value === undefined ? [] : [assign(column, value)]
  })
  return update(fromOf(event), join(assignments, ', '), rest)
}

/**
 * Moves each job that `where` selects through the first event whose condition is true for it. The cases are the same at each
 * call, so their text is built once.
 */
export const transitionByCase = <From extends JobStatus>(
  from: From,
  cases: readonly Case<From>[],
): ((rest: Update) => Statement) => {
  const branches = cases.map(({ when, event, set }) => ({
    when,
    changes: { ...(event === null ? {} : changesOf(event)), ...set },
  }))
  const columns = ALL_COLUMNS.filter((column) =>
    branches.some(({ changes }) => changes[column] !== undefined),
  )
  const set = join(
    columns.map((column) => assign(column, valueByCase(column, branches))),
    ', ',
  )
  return (rest) => update(from, set, rest)
}
