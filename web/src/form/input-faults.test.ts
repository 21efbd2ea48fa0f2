import { expect, test } from 'vitest'
import { faultOf } from './input-faults.ts'

const shout = (text: string): string => text.toUpperCase()

test('a field shows its own fault, or the first one inside of its JSON with the place', () => {
  const faults = {
    name: 'is missing.',
    'rows.0': 'must have the field "a".',
    'rows.1.b': 'must be a string.',
  }
  expect(faultOf(faults, 'name', shout)).toBe('is missing.')
  expect(faultOf(faults, 'rows', shout)).toBe('0 MUST HAVE THE FIELD "A".')
  expect(faultOf(faults, 'row', shout)).toBeUndefined()
})
