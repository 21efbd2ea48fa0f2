/**
 * Limits guessing across servers: a guess is recorded before it is checked, and released when it was right. A guess that
 * was never released, because the node died, counts as wrong.
 */
import { createHash } from 'node:crypto'
import { AppError } from '#core/error.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time-units.ts'
import type { Statement } from '#store/database.ts'
import {
  deleteGuess,
  findGuessWait,
  type GuessLimit,
  insertGuess,
  readGuess,
} from '#store/people/guesses.ts'
import type { Deps } from '../deps.ts'

/** Returns the bucket under which guesses are counted. @param parts the guesser and the target; only their hash is stored */
export const guessBucket = (kind: string, ...parts: readonly string[]): string =>
  `${kind}|${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`

export type Guess = Readonly<{
  /** Statements that undo the guess; they go with the write that a right guess leads to. */
  release: readonly Statement[]
}>

/** Milliseconds for which a wrong guess counts. */
const WINDOW_MS = 15 * MINUTE_MS

/** Records a guess. @throws {AppError} rate_limited `too_many_guesses` when any limit is reached */
export const makeGuess = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  given: readonly Omit<GuessLimit, 'windowMs'>[],
): Promise<Guess> => {
  const id = deps.newId()
  const limits = given.map((limit) => ({ ...limit, windowMs: WINDOW_MS }))
  const { recorded } = await deps.db.write(
    {
      guess: limits.map((limit) => insertGuess(id, limit)),
      recorded: limits.map((limit) => readGuess(id, limit)),
    },
    { retry: true },
  )
  const release = limits.map((limit) => deleteGuess(id, limit))
  if (recorded.every(({ rows }) => rows.length === 1)) return { release }
  await deps.db.write(release, { retry: true })
  const waits = await Promise.all(limits.map((limit) => findGuessWait(deps.db, limit)))
  throw new AppError('rate_limited', 'Too many wrong attempts. Wait before the next one.', {
    code: 'too_many_guesses',
    retryAfterS: Math.max(1, Math.ceil(Math.max(...waits) / SECOND_MS)),
  })
}
