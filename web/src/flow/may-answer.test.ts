import { expect, test } from 'vitest'
import { barOf } from './may-answer.ts'

const APPROVAL = { requesters: ['ada@example.com'], approvers: [], allowSelfApproval: false }

test('the requester of a run does not approve it, unless the step allows it', () => {
  expect(barOf(APPROVAL, 'Ada@Example.com ')).toBe('own_run')
  expect(barOf({ ...APPROVAL, allowSelfApproval: true }, 'ada@example.com')).toBeNull()
  expect(barOf(APPROVAL, 'bob@example.com')).toBeNull()
})

test('a person answers only once', () => {
  const answered = { ...APPROVAL, approvers: ['bob@example.com'] }
  expect(barOf(answered, 'BOB@example.com')).toBe('answered_before')
})
