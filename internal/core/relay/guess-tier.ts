/**
 * How a guess at a relay code is let in. A code has six digits, so what bounds a guesser is how many codes are looked at
 * while a session lives. In quiet times every code is looked at. Under attack the codes that may be looked at are divided
 * into tiers by what the caller's network has done before, so that networks that guess use up their own tier and leave that
 * of a desktop which has guessed nothing wrong.
 */
export const MINUTE_MS = 60_000

/** How long a session lives by default; the limits of the tiers hold for this time. */
export const TIER_WINDOW_MS = 600_000

/** How long a wrong code keeps a network out of the tier of newcomers. */
export const MEMORY_MS = 3_600_000

/** Codes of one network that may be wrong in a minute. */
export const WRONG_OF_NETWORK_A_MINUTE = 10

/** Codes that are looked at in a minute without regard to whose they are. */
export const QUIET_A_MINUTE = 50

/** Seconds between the turns of networks that have guessed wrong more than once; so many may wait for one. */
export const TURN_EVERY_S = 1
export const TURNS_WAITING = 5

/** By the wrong codes of a network within MEMORY_MS: the codes that are looked at within TIER_WINDOW_MS. */
const TIERS = [
  { name: 'newcomer', wrongBefore: 0, most: 6_000 },
  { name: 'second', wrongBefore: 1, most: 1_000 },
] as const
export type Tier = (typeof TIERS)[number]

/** @returns null if the network waits for a turn */
export const tierOf = (wrongBefore: number): Tier | null =>
  TIERS.find((tier) => tier.wrongBefore === wrongBefore) ?? null

/** Codes in all. */
const CODES = 1_000_000

/**
 * The most codes that are looked at while a session of so many seconds lives, however many networks guess. All limits hold
 * for every stretch of their length, not from one mark of the clock to the next.
 */
export const mostLooks = (sessionS: number): number => {
  const minutes = Math.ceil((sessionS * 1_000) / MINUTE_MS)
  const windows = Math.ceil((sessionS * 1_000) / TIER_WINDOW_MS)
  const turns = Math.ceil(sessionS / TURN_EVERY_S) + TURNS_WAITING
  const inTiers = TIERS.reduce((sum, { most }) => sum + most, 0)
  return minutes * QUIET_A_MINUTE + windows * inTiers + turns
}

/** The chance that a session of so many seconds is guessed: each look tries another code at best. */
export const guessChance = (sessionS: number): number => mostLooks(sessionS) / CODES
