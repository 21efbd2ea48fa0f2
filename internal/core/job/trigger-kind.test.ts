import { expect, test } from 'vitest'
import { readTriggerKind, TRIGGER_KINDS } from './trigger-kind.ts'

test('a stored trigger that a newer svc added is read as one that passes no request', () => {
  expect(TRIGGER_KINDS.map(readTriggerKind)).toEqual(TRIGGER_KINDS)
  expect(readTriggerKind('carrier_pigeon')).toBe('api')
})
