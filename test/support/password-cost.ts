/**
 * Replaces #crypto/password-cost.ts in the processes of tests: a hash takes about 2 ms.
 * Programs that tests start have the real cost.
 */
import { PASSWORD_COST as REAL } from '../../internal/crypto/password-cost.ts'

const CHEAP = { ...REAL, N: 2 ** 10, p: 1 }
const THIRD = { ...REAL, p: 1 }

/** Only the two functions below change it. */
export const PASSWORD_COST: { N: number; r: number; p: number; maxmem: number } = { ...CHEAP }

/** Another cost derives other keys, so a test's process cannot read a file that a program of svc wrote with a passphrase. */
export const PASSPHRASE_COST = { ...CHEAP }

const use = (cost: typeof REAL | typeof THIRD): (() => void) => {
  Object.assign(PASSWORD_COST, cost)
  return () => void Object.assign(PASSWORD_COST, CHEAP)
}

/** For test files that judge how long a hash takes. @returns a function that restores the cheap cost */
export const useRealCost = (): (() => void) => use(REAL)

/** For test files whose hashes must outlast concurrent requests: about 70 ms. @returns a function that restores the cheap cost */
export const useThirdOfRealCost = (): (() => void) => use(THIRD)
