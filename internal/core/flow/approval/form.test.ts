import { expect, test } from 'vitest'
import { checkForm, readForm } from './form.ts'

const FORM = [{ key: 'amount', label: 'Amount', type: 'number', required: true }] as const
const check = (text: string) => checkForm(FORM, readForm(FORM, new Map([['amount', text]])))

test('a number is one that JSON can keep', () => {
  expect(check(' 1.5e3 ').values).toEqual({ amount: 1_500 })
  const faults = [{ path: 'values.amount', message: 'must be a number' }]
  // it is beyond the largest number, and JSON would have null in its place
  expect(check('1e999')).toEqual({ values: null, faults })
  expect(checkForm(FORM, JSON.parse('{"amount": -1e999}'))).toEqual({ values: null, faults })
})

test('of many unknown fields a refusal names a hundred', () => {
  const values = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, 1]))
  expect(checkForm([], values).faults).toHaveLength(100)
})
