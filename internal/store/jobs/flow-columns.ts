/** The columns of a new job for its rate, its debounce, its turn and its start timeout [jobs 18, 21]. */
import type { FairTurn, FlowControl, RateLimit } from '#core/job/flow-control.ts'
import type { Statement } from '../database.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'

/** When a job is due: at a time in milliseconds since 1970 (a past one means now), or after a number of milliseconds. */
export type Due = Readonly<{ at: number } | { inMs: number }>

export type DueTime = Readonly<{
  ready: Statement
  runAt: Statement
  /** A row that both expressions refer to. */
  from?: Statement
}>

/** Converts a due time. A past time becomes now, so that a job cannot overtake those that wait. */
const dueTime = (due: Due): DueTime =>
  'at' in due
    ? {
        ready: sql`CASE WHEN ${due.at} > ${SQL_NOW} THEN 0 ELSE 1 END`,
        runAt: sql`MAX(${due.at}, ${SQL_NOW})`,
      }
    : {
        ready: raw(due.inMs > 0 ? '0' : '1'),
        runAt: sql`${SQL_NOW} + ${due.inMs}`,
      }

/** An empty text. */
export const NOTHING = raw('')

/** Columns that only jobs of actions with flow control or a start timeout fill. */
export type Extra = Readonly<{ columns: Statement; values: Statement; due: DueTime }>

type TimedJob = Readonly<{
  due: Due
  control: Pick<FlowControl, 'rate' | 'fair' | 'debounce'>
  startTimeoutMs: number | null
  /** Null for the present time. */
  requestedAt: number | null
}>

/** Returns whether the action of a job has no flow control except a concurrency limit. */
const isUncontrolled = ({ rate, fair, debounce }: TimedJob['control']): boolean =>
  rate === null && fair === null && debounce === null

/** Returns whether a job fills none of the columns of `Extra`. */
export const hasNoExtra = ({
  control,
  startTimeoutMs,
}: Pick<TimedJob, 'control' | 'startTimeoutMs'>): boolean =>
  startTimeoutMs === null && isUncontrolled(control)

/** The time of a request, in milliseconds since 1970; null stands for the present time. */
export const requestTime = (requestedAt: number | null): Statement =>
  requestedAt === null ? SQL_NOW : sql`${requestedAt}`

/**
 * The latest start of a job. It counts from when the job is due, and not from its place in a rate, because those who wait for a
 * place are waiting already.
 */
export const startBy = ({ due, control, startTimeoutMs, requestedAt }: TimedJob): Statement => {
  if (startTimeoutMs === null) return raw('NULL')
  const asked = requestTime(requestedAt)
  if (control.debounce !== null) return sql`${asked} + ${control.debounce.quietMs + startTimeoutMs}`
  if ('at' in due) return sql`MAX(${due.at}, ${asked}) + ${startTimeoutMs}`
  return sql`${asked} + ${due.inMs + startTimeoutMs}`
}

/** Returns when a job is due, and the columns of its rate, turn, debounce and start timeout. */
export const extraOf = (job: TimedJob): Extra => {
  const {
    due,
    control: { rate, fair, debounce },
    startTimeoutMs,
    requestedAt,
  } = job
  const timed =
    startTimeoutMs === null
      ? { columns: NOTHING, values: NOTHING }
      : { columns: raw(', start_by'), values: sql`, ${startBy(job)}` }
  if (isUncontrolled(job.control)) return { ...timed, due: dueTime(due) }
  const isDueNow = !('at' in due) && due.inMs === 0
  const isPaced = rate !== null && isDueNow && debounce === null
  return {
    columns: sql`, rate_key, rate_limit, rate_ms, paced,
        fair_group, fair_key, fair_turn, debounce_key, debounce_until, debounced_at${timed.columns}`,
    values: sql`, ${rate?.key ?? null}, ${rate?.limit ?? null}, ${rate?.windowMs ?? null}, ${isPaced},
        ${fair?.group ?? null}, ${fair?.key ?? null}, ${fair === null ? raw('NULL') : nextTurn(fair)},
        ${debounce?.key ?? null}, ${debounce === null ? raw('NULL') : sql`${SQL_NOW} + ${debounce.maxMs}`},
        ${debounce === null ? raw('NULL') : requestTime(requestedAt)}${timed.values}`,
    due: isPaced ? pacedTime(rate) : dueTime(debounce === null ? due : { inMs: debounce.quietMs }),
  }
}

/** The round after that of the key's last waiting job, and after that of the action's last started job. */
export const nextTurn = ({ group, key }: FairTurn): Statement =>
  sql`1 + MAX(COALESCE((SELECT turn FROM fair_turns WHERE fair_group = ${group}), 0),
    COALESCE((SELECT MAX(q.fair_turn) FROM jobs q INDEXED BY jobs_fair_keys
      WHERE q.status = 'queued' AND q.fair_group = ${group} AND q.fair_key = ${key}), 0))`

/**
 * The place that a rate gives to another job: one window after the job or start that is `limit` places before it. If fewer
 * have a place, the job is due now. The claim decides in the end (jobs/claim.ts): places are planned, starts are exact. Both
 * ignore starts from before the clock was set back.
 */
const pacedTime = ({ key, limit, windowMs }: RateLimit): DueTime => ({
  ready: raw('CASE WHEN place.at > place.now THEN 0 ELSE 1 END'),
  runAt: raw('MAX(place.at, place.now)'),
  from: sql`FROM (SELECT ${SQL_NOW} AS now, COALESCE((SELECT taken.at FROM (
      SELECT at FROM (SELECT q.run_at AS at FROM jobs q INDEXED BY jobs_paced
        WHERE q.rate_key = ${key} AND q.status = 'queued' AND q.paced = 1 ORDER BY q.run_at DESC LIMIT ${limit})
      UNION ALL
      SELECT at FROM (SELECT s.at FROM rate_starts s WHERE s.key = ${key} AND s.at <= ${SQL_NOW} + ${windowMs}
        ORDER BY s.seq DESC LIMIT ${limit})
      ORDER BY 1 DESC LIMIT 1 OFFSET ${limit - 1}) taken) + ${windowMs}, 0) AS at) place`,
})
