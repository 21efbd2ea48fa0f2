/** Guesses at passwords and codes, one row each. The rate limit counts the rows within its window. */
import type { Database, Statement } from './database.ts'
import { number } from './row.ts'
import { SQL_NOW, sql } from './sql.ts'

export type GuessLimit = Readonly<{
  /** A hash of what is guessed and by whom, so that no address or name is stored. */
  bucket: string
  most: number
  windowMs: number
}>

/** Counts and inserts in one statement, so that concurrent guesses cannot pass the limit. Changes no row beyond it. */
export const insertGuess = (id: string, { bucket, most, windowMs }: GuessLimit): Statement =>
  sql`INSERT INTO guesses (bucket, id, at) SELECT ${bucket}, ${id}, ${SQL_NOW}
    WHERE (SELECT count(*) FROM guesses WHERE bucket = ${bucket} AND at > ${SQL_NOW} - ${windowMs}) < ${most}
    ON CONFLICT DO NOTHING`

/** Takes back a guess that was right, or was not made after all. */
export const deleteGuess = (id: string, { bucket, windowMs }: GuessLimit): Statement =>
  sql`DELETE FROM guesses WHERE bucket = ${bucket} AND at > ${SQL_NOW} - ${windowMs} AND id = ${id}`

/** How many guesses were made within the window. */
export const countGuesses = async (
  db: Database,
  { bucket, windowMs }: Pick<GuessLimit, 'bucket' | 'windowMs'>,
): Promise<number> =>
  (await number.one(
    db,
    sql`SELECT count(*) FROM guesses WHERE bucket = ${bucket} AND at > ${SQL_NOW} - ${windowMs}`,
  )) ?? 0

/** Milliseconds until one more guess is allowed; 0 when it is allowed now. */
export const findGuessWait = async (
  db: Database,
  { bucket, most, windowMs }: GuessLimit,
): Promise<number> => {
  const wait = await number.nullable.one(
    db,
    sql`SELECT CASE WHEN count(*) >= ${most} THEN min(at) + ${windowMs} - ${SQL_NOW} END FROM (
        SELECT at FROM guesses WHERE bucket = ${bucket} AND at > ${SQL_NOW} - ${windowMs}
        ORDER BY at DESC LIMIT ${most})`,
  )
  return Math.max(0, wait ?? 0)
}

export type TurnQueue = Readonly<{
  bucket: string
  /** Milliseconds from one turn to the next. */
  everyMs: number
  /** How many turns may lie ahead. */
  most: number
}>

/** Gives a turn behind all others, which may be in the future. Changes no row where too many wait. */
export const insertTurn = (id: string, { bucket, everyMs, most }: TurnQueue): Statement =>
  sql`INSERT INTO guesses (bucket, id, at)
    SELECT ${bucket}, ${id}, max(${SQL_NOW}, coalesce(last + ${everyMs}, 0))
    FROM (SELECT max(at) AS last FROM guesses WHERE bucket = ${bucket})
    WHERE coalesce(last, 0) <= ${SQL_NOW} + ${(most - 1) * everyMs}
    ON CONFLICT DO NOTHING`

/** Milliseconds until the turn has come; 0 when it has, or was never given. */
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
