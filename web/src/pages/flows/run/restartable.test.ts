import { expect, test } from 'vitest'
import { restartableSteps } from './restartable.ts'

const steps = (...statuses: readonly string[]) =>
  statuses.map((status, at) => ({ key: `s${at}`, kind: 'action', status }))

test('a run is taken up from any step up to the one that stopped it', () => {
  expect(restartableSteps(steps('success', 'skipped', 'failure', 'pending'))).toEqual([
    's0',
    's1',
    's2',
  ])
  expect(restartableSteps(steps('success', 'success'))).toEqual(['s0', 's1'])
  expect(restartableSteps(steps('canceled', 'pending'))).toEqual(['s0'])
})

test('never behind a step that was undone, nor from the failure module', () => {
  const undone = [
    ...steps('success', 'success', 'failure'),
    { key: 'undo:s1', kind: 'undo', status: 'success' },
  ]
  expect(restartableSteps(undone)).toEqual(['s0', 's1'])
  const failed = [...steps('failure'), { key: 'tell', kind: 'failure_module', status: 'success' }]
  expect(restartableSteps(failed)).toEqual(['s0'])
})
