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
