/**
 * How guesses at a relay code are admitted. A code has six digits, so what limits a guesser is how many codes are checked
 * while a session lives. In quiet times every code is checked. Under attack, the codes that may be checked are divided into
 * tiers by what the caller's network has done before. So networks that guess use up their own tier, and leave that of a
 * desktop without wrong guesses.
 */
import { HOUR_MS, MINUTE_MS } from '../time-units.ts'

/** Milliseconds that a session lives by default; the limits of the tiers are for this time. */
export const TIER_WINDOW_MS = 600_000

/** Milliseconds for which a wrong code keeps a network out of the tier of newcomers. */
export const MEMORY_MS = HOUR_MS

/** Wrong codes that one network may enter in a minute. */
export const WRONG_OF_NETWORK_A_MINUTE = 10

/** Codes that are checked in a minute, whatever network they come from. */
export const QUIET_A_MINUTE = 50

/** Seconds between the turns of networks that guessed wrong more than once. At most TURNS_WAITING calls wait for a turn. */
export const TURN_EVERY_S = 1
export const TURNS_WAITING = 5

/** By the wrong codes of a network within MEMORY_MS: the codes that are checked within TIER_WINDOW_MS. */
const TIERS = [
  { name: 'newcomer', wrongBefore: 0, most: 6_000 },
  { name: 'second', wrongBefore: 1, most: 1_000 },
] as const
export type Tier = (typeof TIERS)[number]

/** @returns null if the network waits for a turn */
export const tierOf = (wrongBefore: number): Tier | null =>
  TIERS.find((tier) => tier.wrongBefore === wrongBefore) ?? null

/**
 * Returns the most codes that are checked while a session of this many seconds lives, however many networks guess. All limits
 * hold for any period of their length, not only between fixed times.
 */
export const mostLooks = (sessionS: number): number => {
  const minutes = Math.ceil((sessionS * 1_000) / MINUTE_MS)
  const windows = Math.ceil((sessionS * 1_000) / TIER_WINDOW_MS)
  const turns = Math.ceil(sessionS / TURN_EVERY_S) + TURNS_WAITING
  const inTiers = TIERS.reduce((sum, { most }) => sum + most, 0)
  return minutes * QUIET_A_MINUTE + windows * inTiers + turns
}
