import { expect, test } from 'vitest'
import { isCreditAmount, MAX_CREDIT_WON, refusalOf } from './balance.ts'
import { registryPrice } from './price.ts'

const rules = { isPrepaid: true, registryWon: 1_000, accuracyWon: 500 }

test('a certificate has its price, the higher accuracy one on top, and without billing none', () => {
  expect(registryPrice(rules)).toBe(1_000)
  expect(registryPrice(rules, { isAccurate: true })).toBe(1_500)
  expect(registryPrice({ ...rules, isPrepaid: false }, { isAccurate: true })).toBe(0)
})

test('a balance pays for what it covers to the last won', () => {
  expect(refusalOf({ balanceWon: 1_000, isSuspended: false }, 1_000)).toBeNull()
  expect(refusalOf({ balanceWon: 999, isSuspended: false }, 1_000)).toBe('insufficient_balance')
  expect(refusalOf({ balanceWon: 0, isSuspended: false }, 0)).toBeNull()
})

test('a suspended account is refused whatever it holds, and whatever the call costs', () => {
  expect(refusalOf({ balanceWon: 1_000_000, isSuspended: true }, 1_000)).toBe('suspended')
  expect(refusalOf({ balanceWon: 0, isSuspended: true }, 0)).toBe('suspended')
})

test('credit comes in whole won, and may be taken back', () => {
  expect([1, -1, MAX_CREDIT_WON, -MAX_CREDIT_WON].every(isCreditAmount)).toBe(true)
  expect([0, 0.5, MAX_CREDIT_WON + 1, Number.NaN, Infinity].some(isCreditAmount)).toBe(false)
})
