/**
 * Limits guesses of codes by rows in the database, so that the limits hold across servers [relay 9]. The rules are in
 * core/relay/guess-tier.ts: a network has ten wrong codes a minute, the instance fifty; beyond that, a network's limit
 * depends on its earlier wrong guesses.
 */
import { setTimeout } from 'node:timers/promises'
import { AppError } from '#core/error.ts'
import { callerNetworkOf, callerSiteOf } from '#core/network/caller-network.ts'
import {
  MEMORY_MS,
  QUIET_A_MINUTE,
  TIER_WINDOW_MS,
  type Tier,
  TURN_EVERY_S,
  TURNS_WAITING,
  tierOf,
  WRONG_OF_NETWORK_A_MINUTE,
} from '#core/relay/guess-tier.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time-units.ts'
import {
  countGuesses,
  deleteGuess,
  findGuessWait,
  findTurnWait,
  type GuessLimit,
  insertGuess,
  insertTurn,
  readGuess,
  type TurnQueue,
} from '#store/people/guesses.ts'
import { type Guess, guessBucket } from '../access/guess.ts'
import type { Deps } from '../deps.ts'

const OF_ALL: GuessLimit = {
  bucket: guessBucket('relay-code'),
  most: QUIET_A_MINUTE,
  windowMs: MINUTE_MS,
}
const TURNS: TurnQueue = {
  bucket: guessBucket('relay-turn'),
  everyMs: TURN_EVERY_S * SECOND_MS,
  most: TURNS_WAITING,
}

const limitOf = (address: string | null): GuessLimit => ({
  bucket: guessBucket('relay-code', callerNetworkOf(address)),
  most: WRONG_OF_NETWORK_A_MINUTE,
  windowMs: MINUTE_MS,
})

/** The record of wrong guesses that selects the limit; it limits nothing itself. */
const memoryOf = (address: string | null): GuessLimit => ({
  bucket: guessBucket('relay-site', callerSiteOf(address)),
  most: Number.MAX_SAFE_INTEGER,
  windowMs: MEMORY_MS,
})

const toLimit = ({ name, most }: Tier): GuessLimit => ({
  bucket: guessBucket('relay-lane', name),
  most,
  windowMs: TIER_WINDOW_MS,
})

const tooMany = (message: string, waitMs: number): AppError =>
  new AppError('rate_limited', message, {
    code: 'too_many_guesses',
    retryAfterS: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
  })

type BudgetDeps = Pick<Deps, 'db' | 'newId'>

/**
 * Waits until a code may be tried; the guess counts as wrong until its `release` is written.
 * @throws {AppError} rate_limited `too_many_guesses`
 */
export const spendGuess = async (deps: BudgetDeps, address: string | null): Promise<Guess> => {
  const id = deps.newId()
  const own = limitOf(address)
  const memory = memoryOf(address)
  const release = [own, memory, OF_ALL].map((limit) => deleteGuess(id, limit))
  const { byNetwork, byAll } = await deps.db.write(
    {
      guess: [own, memory, OF_ALL].map((limit) => insertGuess(id, limit)),
      byNetwork: readGuess(id, own),
      byAll: readGuess(id, OF_ALL),
    },
    { retry: true },
  )
  if (byNetwork.rows.length !== 1) {
    await deps.db.write(release, { retry: true })
    const wait = await findGuessWait(deps.db, own)
    throw tooMany('Too many wrong codes. Wait a minute before the next one.', wait)
  }
  if (byAll.rows.length === 1) return { release }
  const tier = tierOf((await countGuesses(deps.db, memory)) - 1)
  if (tier !== null) {
    const limit = toLimit(tier)
    const batch = { guess: insertGuess(id, limit), byTier: readGuess(id, limit) }
    const { byTier } = await deps.db.write(batch, { retry: true })
    if (byTier.rows.length === 1) return { release: [...release, deleteGuess(id, limit)] }
  }
  return waitForTurn(deps, id, release)
}

const waitForTurn = async (
  deps: BudgetDeps,
  id: string,
  release: Guess['release'],
): Promise<Guess> => {
  const { turn } = await deps.db.write({ turn: insertTurn(id, TURNS) })
  if (turn.changes !== 1) {
    await deps.db.write(release, { retry: true })
    throw tooMany(
      'Many wrong codes were tried recently, so codes are checked slowly. Try again in some seconds.',
      TURNS.everyMs * TURNS.most,
    )
  }
  await setTimeout(await findTurnWait(deps.db, id, TURNS))
  return { release }
}
