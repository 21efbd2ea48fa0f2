/** Guesses at passwords and codes, one row each: the count within a window is the limit's only truth (target I4). */
import { asNumber, asNumberOrNull } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type GuessLimit = Readonly<{
  /** What is guessed by whom; hashed, so that no address or name stands here. */
  bucket: string
  most: number
  windowMs: number
}>

/** Counts and adds in one step, so that guesses that come at once cannot pass the limit. Changes no row beyond it. */
export const insertGuess = (id: string, { bucket, most, windowMs }: GuessLimit): Statement =>
  sql(
    `INSERT INTO guesses (bucket, id, at) SELECT ?, ?, ${SQL_NOW}
     WHERE (SELECT count(*) FROM guesses WHERE bucket = ? AND at > ${SQL_NOW} - ?) < ?
     ON CONFLICT DO NOTHING`,
    bucket,
    id,
    bucket,
    windowMs,
    most,
  )

/** It was right, or was not made after all. */
export const deleteGuess = (id: string, { bucket, windowMs }: GuessLimit): Statement =>
  sql(
    `DELETE FROM guesses WHERE bucket = ? AND at > ${SQL_NOW} - ? AND id = ?`,
    bucket,
    windowMs,
    id,
  )

/** How many were made within the window. */
export const countGuesses = async (
  db: Database,
  { bucket, windowMs }: Pick<GuessLimit, 'bucket' | 'windowMs'>,
): Promise<number> =>
  asNumber(
    (
      await db.one(
        sql(
          `SELECT count(*) AS n FROM guesses WHERE bucket = ? AND at > ${SQL_NOW} - ?`,
          bucket,
          windowMs,
        ),
      )
    )?.n,
  )

/** Milliseconds until one more may be made; 0 when one may be made now. */
export const findGuessWait = async (
  db: Database,
  { bucket, most, windowMs }: GuessLimit,
): Promise<number> => {
  const row = await db.one(
    sql(
      `SELECT CASE WHEN count(*) >= ? THEN min(at) + ? - ${SQL_NOW} END AS wait FROM (
         SELECT at FROM guesses WHERE bucket = ? AND at > ${SQL_NOW} - ? ORDER BY at DESC LIMIT ?)`,
      most,
      windowMs,
      bucket,
      windowMs,
      most,
    ),
  )
  return Math.max(0, asNumberOrNull(row?.wait) ?? 0)
}

export type TurnQueue = Readonly<{
  bucket: string
  /** From one turn to the next. */
  everyMs: number
  /** Turns that may lie ahead. */
  most: number
}>

/** A turn after all that are given already; it may lie ahead of the clock. Changes no row where too many wait. */
export const insertTurn = (id: string, { bucket, everyMs, most }: TurnQueue): Statement =>
  sql(
    `INSERT INTO guesses (bucket, id, at)
     SELECT ?, ?, max(${SQL_NOW}, coalesce(last + ?, 0)) FROM (SELECT max(at) AS last FROM guesses WHERE bucket = ?)
     WHERE coalesce(last, 0) <= ${SQL_NOW} + ?
     ON CONFLICT DO NOTHING`,
    bucket,
    id,
    everyMs,
    bucket,
    (most - 1) * everyMs,
  )

/** Milliseconds until the turn has come; 0 when it has, or was never given. */
export const findTurnWait = async (
  db: Database,
  id: string,
  { bucket, everyMs }: TurnQueue,
): Promise<number> => {
  const row = await db.one(
    sql(
      `SELECT at - ${SQL_NOW} AS wait FROM guesses WHERE bucket = ? AND at > ${SQL_NOW} - ? AND id = ?`,
      bucket,
      everyMs,
      id,
    ),
  )
  return Math.max(0, asNumberOrNull(row?.wait ?? null) ?? 0)
}
