/**
 * Guesses of passwords and codes, one row each. The rate limit counts the rows within its window. Rows that are further ahead
 * of the clock than it allows are from before the clock was set back, and are ignored.
 */
import type { Database, Statement } from '../database.ts'
import { count, number } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

export type GuessLimit = Readonly<{
  /** A hash of what is guessed and who guesses, so that no address or name is stored. */
  bucket: string
  most: number
  windowMs: number
}>

/** A condition: the guess is within the window. */
const isWithin = ({ bucket, windowMs }: Pick<GuessLimit, 'bucket' | 'windowMs'>): Statement =>
  sql`bucket = ${bucket} AND at > ${SQL_NOW} - ${windowMs} AND at <= ${SQL_NOW} + ${windowMs}`

/** The row of one guess. */
const rowOf = (id: string, { bucket, windowMs }: Pick<GuessLimit, 'bucket' | 'windowMs'>) =>
  sql`bucket = ${bucket} AND at > ${SQL_NOW} - ${windowMs} AND id = ${id}`

/** Returns a row if the guess is recorded. In the batch of its insert, this also holds if the batch runs again. */
export const readGuess = (id: string, limit: GuessLimit): Statement =>
  sql`SELECT 1 FROM guesses WHERE ${rowOf(id, limit)}`

/**
 * Records a guess once, unless the limit is reached. Counting and inserting in one statement stops concurrent guesses from
 * exceeding it.
 */
export const insertGuess = (id: string, limit: GuessLimit): Statement =>
  sql`INSERT INTO guesses (bucket, id, at) SELECT ${limit.bucket}, ${id}, ${SQL_NOW}
    WHERE (SELECT count(*) FROM guesses WHERE ${isWithin(limit)}) < ${limit.most}
      AND NOT EXISTS (${readGuess(id, limit)})
    ON CONFLICT DO NOTHING`

/** Deletes a guess that was right, or that was not made after all. */
export const deleteGuess = (id: string, limit: GuessLimit): Statement =>
  sql`DELETE FROM guesses WHERE ${rowOf(id, limit)}`

/** Counts the guesses within the window. */
export const countGuesses = (
  db: Database,
  limit: Pick<GuessLimit, 'bucket' | 'windowMs'>,
): Promise<number> => count(db, sql`SELECT count(*) FROM guesses WHERE ${isWithin(limit)}`)

/** Returns the milliseconds until one more guess is allowed; 0 if it is allowed now. */
export const findGuessWait = async (db: Database, limit: GuessLimit): Promise<number> => {
  const { most, windowMs } = limit
  const wait = await number.nullable.one(
    db,
    sql`SELECT CASE WHEN count(*) >= ${most} THEN min(at) + ${windowMs} - ${SQL_NOW} END FROM (
        SELECT at FROM guesses WHERE ${isWithin(limit)} ORDER BY at DESC LIMIT ${most})`,
  )
  return Math.max(0, wait ?? 0)
}

export type TurnQueue = Readonly<{
  bucket: string
  /** Milliseconds between two turns. */
  everyMs: number
  /** Limit of turns that may be in the future. */
  most: number
}>

/** Gives a turn after all others, which may be in the future. Changes no row if too many wait. */
export const insertTurn = (id: string, { bucket, everyMs, most }: TurnQueue): Statement =>
  sql`INSERT INTO guesses (bucket, id, at)
    SELECT ${bucket}, ${id}, max(${SQL_NOW}, coalesce(last + ${everyMs}, 0))
    FROM (SELECT max(at) AS last FROM guesses WHERE bucket = ${bucket} AND at <= ${SQL_NOW} + ${most * everyMs})
    WHERE coalesce(last, 0) <= ${SQL_NOW} + ${(most - 1) * everyMs}
    ON CONFLICT DO NOTHING`

/** Returns the milliseconds until the turn; 0 if it has come, or was never given. */
export const findTurnWait = async (
  db: Database,
  id: string,
  { bucket, everyMs }: TurnQueue,
): Promise<number> => {
  const wait = await number.one(
    db,
    sql`SELECT at - ${SQL_NOW} FROM guesses
      WHERE bucket = ${bucket} AND at > ${SQL_NOW} - ${everyMs} AND id = ${id}`,
  )
  return Math.max(0, wait ?? 0)
}
