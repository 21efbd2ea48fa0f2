import { expect, test } from 'vitest'
import { armMarks, markOf, takenArm } from './run-marks.ts'

const ARMS = [
  { key: 'large', status: 'success' },
  { key: 'small', status: 'skipped' },
] as const

test('a step that the run passed over or never came to is left aside', () => {
  expect(markOf({ status: 'skipped' }, false).aside).toBe('skipped')
  expect(markOf({ status: 'pending' }, false).aside).toBeNull()
  expect(markOf({ status: 'pending' }, true).aside).toBe('not_reached')
  expect(markOf({ status: 'failure' }, true).aside).toBeNull()
})

test('of a branch the arm that was not taken is left aside', () => {
  const marks = armMarks({ status: 'success', arms: [...ARMS] }, true)
  expect([...marks]).toEqual([
    ['large', { status: 'success', aside: null }],
    ['small', { status: 'skipped', aside: 'not_taken' }],
  ])
  expect(takenArm({ kind: 'branchone', arms: [...ARMS] })).toBe('large')
})

test('arms have the mark of their step when the run skipped or never reached it', () => {
  const skipped = { key: 'x', status: 'skipped' } as const
  const pending = { key: 'x', status: 'pending' } as const
  expect(armMarks({ status: 'skipped', arms: [skipped] }, false).get('x')?.aside).toBe('skipped')
  expect(armMarks({ status: 'pending', arms: [pending] }, true).get('x')?.aside).toBe('not_reached')
  expect(armMarks({ status: 'pending', arms: [pending] }, false).get('x')?.aside).toBeNull()
  expect(takenArm({ kind: 'branchone', arms: [pending] })).toBeNull()
})

test('all arms at once have none that is the one', () => {
  expect(takenArm({ kind: 'branchall', arms: [...ARMS] })).toBeNull()
  expect(armMarks({ status: 'success' }, true).size).toBe(0)
})
