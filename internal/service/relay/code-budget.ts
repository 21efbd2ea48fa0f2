/**
 * Limits on guessing codes, held by rows, so that they hold across servers (contract, Relay). An address has ten wrong
 * codes a minute. The instance has fifty a minute at full speed; beyond them every code, right or wrong, takes its turn:
 * one a second, with a short queue, and who finds it full is told to come back.
 */
import { setTimeout } from 'node:timers/promises'
import { AppError } from '#core/error.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import {
  deleteGuess,
  findGuessWait,
  findTurnWait,
  type GuessLimit,
  insertGuess,
  insertTurn,
  type TurnQueue,
} from '#store/guesses.ts'
import type { Deps } from '../deps.ts'
import { type Guess, guessBucket } from '../guess.ts'

const WINDOW_MS = 60_000
const MOST_OF_ADDRESS = 10
const MOST_AT_FULL_SPEED = 50
const MS_PER_S = 1_000

const OF_ALL: GuessLimit = {
  bucket: guessBucket('relay-code'),
  most: MOST_AT_FULL_SPEED,
  windowMs: WINDOW_MS,
}
/** While codes are slow each counts all the same: under a lasting attack it stays slow. */
const OF_ALL_SLOW: GuessLimit = { ...OF_ALL, most: Number.MAX_SAFE_INTEGER }
const TURNS: TurnQueue = { bucket: guessBucket('relay-turn'), everyMs: 1_000, most: 5 }

const limitOf = (address: string | null): GuessLimit => ({
  bucket: guessBucket('relay-code', callerNetworkOf(address)),
  most: MOST_OF_ADDRESS,
  windowMs: WINDOW_MS,
})

const tooMany = (message: string, waitMs: number): AppError =>
  new AppError('rate_limited', message, {
    code: 'too_many_guesses',
    retryAfterS: Math.max(1, Math.ceil(waitMs / MS_PER_S)),
  })

type BudgetDeps = Pick<Deps, 'db' | 'newId'>

/**
 * Resolves when a code may be looked at; it counts as wrong until its `release` is written.
 * @throws {AppError} rate_limited `too_many_guesses`
 */
export const spendGuess = async (deps: BudgetDeps, address: string | null): Promise<Guess> => {
  const id = deps.newId()
  const own = limitOf(address)
  const release = [deleteGuess(id, own), deleteGuess(id, OF_ALL)]
  const [byAddress, byAll] = await deps.db.write([insertGuess(id, own), insertGuess(id, OF_ALL)])
  if (byAddress?.changes !== 1) {
    await deps.db.write(release, { retry: true })
    const wait = await findGuessWait(deps.db, own)
    throw tooMany('Too many wrong codes. Wait a minute before the next one.', wait)
  }
  if (byAll?.changes === 1) return { release }
  const [turn] = await deps.db.write([insertTurn(id, TURNS), insertGuess(id, OF_ALL_SLOW)])
  if (turn?.changes !== 1) {
    await deps.db.write(release, { retry: true })
    throw tooMany(
      'Many wrong codes were tried just now, so codes go slowly. Try again in some seconds.',
      TURNS.everyMs * TURNS.most,
    )
  }
  await setTimeout(await findTurnWait(deps.db, id, TURNS))
  return { release }
}
