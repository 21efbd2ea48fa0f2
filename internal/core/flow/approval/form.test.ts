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

test('a box is ticked, unticked or refused', () => {
  const form = [{ key: 'sure', label: 'Sure', type: 'boolean', required: false }] as const
  const read = (text: string) => checkForm(form, readForm(form, new Map([['sure', text]])))
  for (const text of ['true', 'on']) expect(read(text).values).toEqual({ sure: true })
  for (const text of ['', 'false']) expect(read(text).values).toEqual({ sure: false })
  expect(checkForm(form, readForm(form, new Map())).values).toEqual({ sure: false })
  const faults = [{ path: 'values.sure', message: 'must be true or false' }]
  for (const text of ['no', '0', 'off', 'False']) expect(read(text).faults).toEqual(faults)
})

test('of many unknown fields a refusal names a hundred', () => {
  const values = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, 1]))
  expect(checkForm([], values).faults).toHaveLength(100)
})
