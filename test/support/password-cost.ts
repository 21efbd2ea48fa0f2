/** Replaces #crypto/password-cost.ts in the processes of tests: about 2 ms. Programs that tests start have the real cost. */
import { PASSWORD_COST as REAL } from '../../internal/crypto/password-cost.ts'

const CHEAP = { ...REAL, N: 2 ** 10, p: 1 }
const THIRD = { ...REAL, p: 1 }

/** Only the two functions below change it. */
export const PASSWORD_COST: { N: number; r: number; p: number; maxmem: number } = { ...CHEAP }

/** A different cost makes different keys, so the process of a test cannot read a file that a program of svc wrote. */
export const PASSPHRASE_COST = { ...CHEAP }

const use = (cost: typeof REAL | typeof THIRD): (() => void) => {
  Object.assign(PASSWORD_COST, cost)
  return () => void Object.assign(PASSWORD_COST, CHEAP)
}

/** For a test file that measures how long a hash takes. @returns restores the cheap cost */
export const useRealCost = (): (() => void) => use(REAL)

/**
 * For a test file whose hashes must take longer than the requests that arrive
 * meanwhile: about 70 ms. @returns restores the cheap cost
 */
export const useThirdOfRealCost = (): (() => void) => use(THIRD)
