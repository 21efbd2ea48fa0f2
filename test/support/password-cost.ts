/** In place of #crypto/password-cost.ts in the processes of tests: about 2 ms. Programs that tests start have the real cost. */
import { PASSWORD_COST as REAL } from '../../internal/crypto/password-cost.ts'

const CHEAP = { ...REAL, N: 2 ** 10, p: 1 }
const THIRD = { ...REAL, p: 1 }

/** Changed by the two functions below alone. */
export const PASSWORD_COST: { N: number; r: number; p: number; maxmem: number } = { ...CHEAP }

/** The keys of another cost are others: a file that a program of svc wrote cannot be read in the process of a test. */
export const PASSPHRASE_COST = { ...CHEAP }

const use = (cost: typeof REAL | typeof THIRD): (() => void) => {
  Object.assign(PASSWORD_COST, cost)
  return () => void Object.assign(PASSWORD_COST, CHEAP)
}

/** For a file that judges how long a hash takes. @returns puts the cheap cost back */
export const useRealCost = (): (() => void) => use(REAL)

/** For a file whose hashes must outlast the requests that come meanwhile: about 70 ms. @returns puts the cheap cost back */
export const useThirdOfRealCost = (): (() => void) => use(THIRD)
