/**
 * Makes a start happen once, by the `Idempotency-Key` of a request, kept for 24 hours [wire 5], or the number of a call within
 * a job, kept as long as the job [jobs 15.3]. The key is taken in the batch that inserts the job or flow run.
 */
import { type AppError, conflict } from '#core/error.ts'
import { keyMismatch } from '#core/job/start-call.ts'
import type { Database, Statement } from '#store/database.ts'
import {
  deleteIdempotencyKey,
  findIdempotencyKey,
  holdsIdempotencyKey,
  type IdempotencyKey,
  insertIdempotencyKey,
  type KeyedTable,
  moveIdempotencyKey,
} from '#store/idempotency-keys.ts'
import {
  deleteStart,
  findStart,
  holdsStart,
  insertStart,
  moveStart,
  type StartKey,
} from '#store/jobs/starts.ts'

/** The route of calls within svc that name their own key. */
export const START_ROUTE = 'start'

/** The key of a request, with the credential and the route that it belongs to. */
export type RequestKey = Omit<IdempotencyKey, 'ws'> & Readonly<{ bodyHash: string }>

/** The hash of a key that stands for one thing, whatever the rest of the body is. */
export const ANY_BODY = ''

export type Idempotency = RequestKey | (StartKey & Readonly<{ target: string }>)

/** A start in a workspace, with its key if it has one. */
export type Keyed = Readonly<{ ws: string; idempotency?: Idempotency }>

/** Statements around the insert of one job or flow run. */
export type KeyStatements = Readonly<{
  /** Run before the insert. */
  take: readonly Statement[]
  /** A condition of the insert. */
  holds: Statement | null
  /** Runs directly after a statement that gave the request to an existing job. */
  move: (toId: Statement) => Statement | null
  /** Runs after the insert, and releases the key if nothing was inserted. */
  release: Statement | null
}>

const WITHOUT_KEY: KeyStatements = { take: [], holds: null, move: () => null, release: null }

/** Returns the statements and the guard by which an idempotency key makes only one job, run or credit entry. */
export const keyStatements = (
  { ws, idempotency }: Keyed,
  id: string,
  table: KeyedTable,
): KeyStatements => {
  if (idempotency === undefined) return WITHOUT_KEY
  if ('jobId' in idempotency) {
    const start = { ...idempotency, ws, startedId: id }
    return {
      take: [insertStart(start)],
      holds: holdsStart(start),
      move: (toId) => moveStart(start, toId),
      release: deleteStart(start, table),
    }
  }
  const claim = { ...idempotency, ws, madeId: id }
  return {
    take: insertIdempotencyKey(claim),
    holds: holdsIdempotencyKey(claim),
    move: (toId) => moveIdempotencyKey(claim, toId),
    release: deleteIdempotencyKey(claim, table),
  }
}

/** Builds the error of a key that was used for another request. */
export const otherBody = (): AppError =>
  conflict('This Idempotency-Key was used with another body. Use a new key for a new request.', {
    code: 'idempotency_key_reused',
  })

/**
 * Finds what the key was used for.
 * @returns the id of what it made, such as a job; null if the key is new or there is none
 * @throws {AppError} conflict: the key was used for something else
 */
export const findFirst = async (
  { db }: Readonly<{ db: Database }>,
  { ws, idempotency }: Keyed,
): Promise<string | null> => {
  if (idempotency === undefined) return null
  if ('jobId' in idempotency) {
    const start = await findStart(db, idempotency)
    if (start === null) return null
    if (start.target === idempotency.target) return start.startedId
    throw keyMismatch()
  }
  const used = await findIdempotencyKey(db, { ws, ...idempotency })
  if (used === null) return null
  if (used.bodyHash === idempotency.bodyHash) return used.madeId
  if (idempotency.route === START_ROUTE) throw keyMismatch()
  throw otherBody()
}
