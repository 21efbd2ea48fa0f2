/**
 * Limits on guessing that hold across servers: a guess is written down before it is judged, and taken back when it was
 * right. A guess that nobody took back (the node died) counts as wrong.
 */
import { createHash } from 'node:crypto'
import { AppError } from '#core/error.ts'
import type { Statement } from '#store/database.ts'
import { deleteGuess, findGuessWait, type GuessLimit, insertGuess } from '#store/guesses.ts'
import type { Deps } from './deps.ts'

/** @param parts who guesses at what */
export const guessBucket = (kind: string, ...parts: readonly string[]): string =>
  `${kind}|${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`

export type Guess = Readonly<{
  /** Go with the write that a right guess leads to. */
  release: readonly Statement[]
}>

const MS_PER_S = 1_000

/** @throws {AppError} rate_limited `too_many_guesses`, when any of the limits is reached */
export const makeGuess = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  limits: readonly GuessLimit[],
): Promise<Guess> => {
  const id = deps.newId()
  const results = await deps.db.write(limits.map((limit) => insertGuess(id, limit)))
  const release = limits.map((limit) => deleteGuess(id, limit))
  if (results.every(({ changes }) => changes === 1)) return { release }
  await deps.db.write(release, { retry: true })
  const waits = await Promise.all(limits.map((limit) => findGuessWait(deps.db, limit)))
  throw new AppError('rate_limited', 'Too many wrong tries. Wait a while before the next one.', {
    code: 'too_many_guesses',
    retryAfterS: Math.max(1, Math.ceil(Math.max(...waits) / MS_PER_S)),
  })
}
