/** Ends an attempt of a job: by ending the job, by a retry, or by handing the job back. */
import { STRETCH } from '#core/job/attempt.ts'
import { END_EVENTS, type TerminalStatus } from '#core/job/transitions.ts'
import type { Statement } from '../database.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { type Claim, isAttempt, isClaim, type LeasedClaim } from './lease.ts'
import { insertLedgerRow, insertLedgerRows } from './ledger.ts'
import { type Changes, transition, transitionByCase } from './transition.ts'

export type Completion = Readonly<{
  claim: Claim
  status: TerminalStatus
  resultJson: string
}>

/** The result of a job whose cancel was requested. */
export const CANCELED_RESULT = raw("json_object('name', 'Canceled', 'message', jobs.cancel_reason)")

const completeWith = (status: Statement, result: Statement) =>
  transitionByCase('running', [
    {
      when: raw('jobs.cancel_by IS NOT NULL'),
      event: 'observe_cancel',
      set: { result: CANCELED_RESULT },
    },
    { when: sql`${status} = 'success'`, event: 'succeed', set: { result } },
    { when: sql`${status} = 'failure'`, event: 'fail', set: { result } },
    { when: TRUE, event: 'observe_cancel', set: { result } },
  ])

const complete = completeWith(raw('ends.status'), raw('ends.result'))

/** The end of one job. Its parameters are workspace, id, attempt, status and result. */
const COMPLETE_ONE = completeWith(
  raw('?4'),
  raw('?5'),
)({
  where: raw('jobs.ws = ?1 AND jobs.id = ?2 AND jobs.attempt = ?3'),
  returning: raw('jobs.ws, jobs.id, jobs.status'),
}).sql

/** @param listed a JSON array of `[ws, id, …]` @returns the rows of those that have ended, for `insertLedgerRows` */
const endedOf = (listed: string): Statement => sql`json_each(${listed}) AS each
  JOIN jobs ON jobs.ws = each.value ->> 0 AND jobs.id = each.value ->> 1 WHERE jobs.completed_at IS NOT NULL`

/** Up to this number, one statement per job costs less than one for all, whose JSON takes as long as six jobs. */
const FEW_JOBS = 4

const completeOne = ({ claim, status, resultJson }: Completion): readonly Statement[] => [
  { sql: COMPLETE_ONE, args: [claim.ws, claim.id, claim.attempt, status, resultJson] },
  insertLedgerRow(claim),
]

/**
 * Ends running jobs and writes their billing rows, with two statements for any larger number of jobs. The statements that end
 * jobs return `{ws, id, status}` of each job that they ended. A job that has ended or that another attempt holds is not
 * changed. A job whose cancel was requested ends canceled, regardless of its result.
 */
export const completeJobs = (completions: readonly Completion[]): readonly Statement[] => {
  if (completions.length <= FEW_JOBS) return completions.flatMap(completeOne)
  const ends = completions.map(({ claim: { ws, id, attempt }, status, resultJson }) => [
    ws,
    id,
    attempt,
    status,
    resultJson,
  ])
  const ids = completions.map(({ claim }) => [claim.ws, claim.id])
  return [
    complete({
      with: sql`ends (ws, id, attempt, status, result) AS (
        SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(${JSON.stringify(ends)}))`,
      from: raw('ends'),
      where: raw('jobs.ws = ends.ws AND jobs.id = ends.id AND jobs.attempt = ends.attempt'),
      returning: raw('jobs.ws, jobs.id, jobs.status'),
    }),
    insertLedgerRows(endedOf(JSON.stringify(ids))),
  ]
}

export type FlowJobEnd = Readonly<{
  claim: Claim
  status: TerminalStatus
  /** The result, encrypted. */
  result: string
}>

/** Ends a job of a flow, with its billing row. @param guard true for the transition of the run that it belongs to */
export const endFlowJob = (
  { claim, status, result }: FlowJobEnd,
  guard: Statement,
): readonly Statement[] => [
  transition(END_EVENTS[status], {
    set: { result: sql`${result}` },
    where: sql`${isAttempt(claim)} AND ${guard}`,
  }),
  insertLedgerRow(claim),
]

/**
 * What a job that is due later gives up: its place in its rate. Otherwise the jobs behind it would wait until then, and the next
 * start of the rate would bring it forward.
 */
const dueLater = (delayMs: number): Changes =>
  delayMs === 0 ? {} : { run_at: sql`${SQL_NOW} + ${delayMs}`, ready: raw('0'), paced: raw('0') }

/**
 * Queues a job again after its script failed, due in `delayMs` milliseconds. Does not change a job whose cancel was requested.
 * Returns `{tag}`.
 */
export const retryJob = (claim: Claim, delayMs: number): Statement =>
  transition('retry', {
    set: {
      failure_count: raw('failure_count + 1'),
      run_at: SQL_NOW,
      // an attempt is a start of its own, so it takes no place of a job that waits
      paced: raw('0'),
      ...dueLater(delayMs),
    },
    where: sql`${isAttempt(claim)} AND jobs.cancel_by IS NULL`,
    returning: raw('tag'),
  })

/** The claim of a job that continues keeps the time that its attempt ran before; every other claim sets it to 0. */
const CONTINUES = raw('ran_ms > 0')

/** What undoes a claim whose script never began: the attempt, or the continuation of a suspended one, is still to come. */
const UNCLAIMED: Changes = {
  attempt: sql`attempt - CASE WHEN ${CONTINUES} THEN ${raw(String(STRETCH))} ELSE 1 END`,
  suspended_kind: sql`CASE WHEN ${CONTINUES} THEN 'sleep' END`,
}

/**
 * Deletes the starts that claims have counted under rates, for jobs whose scripts never began. Must run before `handBackJob`,
 * whose condition it shares. The starts of a rate have numbers without gaps, so the later ones move up.
 */
export const uncountStarts = (claims: readonly LeasedClaim[]): readonly Statement[] => {
  const listed = JSON.stringify(claims.map(({ ws, id, claimId }) => [ws, id, claimId]))
  const jobs = sql`json_each(${listed}) AS each
    JOIN jobs ON jobs.ws = each.value ->> 0 AND jobs.id = each.value ->> 1 AND jobs.claim_id = each.value ->> 2
    WHERE jobs.rate_key IS NOT NULL`
  return [
    sql`WITH own AS (
        SELECT rate_key AS key, started_at AS at, row_number() OVER (PARTITION BY rate_key, started_at) AS nth
        FROM ${jobs} AND jobs.status = 'running' AND jobs.cancel_by IS NULL AND NOT ${CONTINUES})
      DELETE FROM rate_starts WHERE (key, seq) IN (
        SELECT s.key, s.seq FROM own JOIN (
          SELECT key, seq, at, row_number() OVER (PARTITION BY key, at ORDER BY seq DESC) AS nth
          FROM rate_starts WHERE key IN (SELECT key FROM own)) s
        ON s.key = own.key AND s.at = own.at AND s.nth = own.nth)`,
    sql`UPDATE rate_starts SET seq = moved.place FROM (
        SELECT key, seq, min(seq) OVER (PARTITION BY key) + row_number() OVER (PARTITION BY key ORDER BY seq) - 1 AS place
        FROM rate_starts WHERE key IN (SELECT rate_key FROM ${jobs})) AS moved
      WHERE rate_starts.key = moved.key AND rate_starts.seq = moved.seq AND moved.place < moved.seq`,
  ]
}

/**
 * Queues a job again that its worker will not finish, without counting a lost worker. Returns `{tag}`. Repeating it does not
 * affect a later claim, even if the attempt was not counted.
 * @param started false if the script never began; the attempt is then not counted
 * @param delayMs milliseconds for which the job waits, so that another worker claims it
 */
export const handBackJob = (claim: LeasedClaim, started: boolean, delayMs = 0): Statement =>
  transition('hand_back', {
    set: { ...(started ? {} : UNCLAIMED), ...dueLater(delayMs) },
    where: sql`${isClaim(claim)} AND jobs.cancel_by IS NULL`,
    returning: raw('tag'),
  })

/** Ends jobs that are handed back and whose cancel was requested, with their billing rows: two statements for any number. */
export const cancelHandedBack = (claims: readonly LeasedClaim[]): readonly Statement[] => {
  const listed = JSON.stringify(claims.map(({ ws, id, claimId }) => [ws, id, claimId]))
  return [
    transition('observe_cancel', {
      with: sql`claims (ws, id, claim_id) AS (
        SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${listed}))`,
      from: raw('claims'),
      set: { result: CANCELED_RESULT },
      where: raw(`jobs.ws = claims.ws AND jobs.id = claims.id AND jobs.claim_id = claims.claim_id
        AND jobs.cancel_by IS NOT NULL`),
    }),
    insertLedgerRows(endedOf(listed)),
  ]
}
