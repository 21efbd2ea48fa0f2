import { expect, test } from 'vitest'
import { fairOrder } from './order.ts'

const job = (ws: string, id: string, { priority = 0, runAt = 0 } = {}) => ({
  ws,
  id,
  priority,
  runAt,
})
const idsOf = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id)

test('each workspace has its turn before one has a second', () => {
  const jobs = [job('a', 'a1'), job('a', 'a2'), job('a', 'a3'), job('b', 'b1'), job('c', 'c1')]
  expect(idsOf(fairOrder(jobs, ''))).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('the first turn is that of the workspace behind the one that was served last', () => {
  const jobs = [job('a', 'a1'), job('b', 'b1'), job('c', 'c1'), job('b', 'b2')]
  expect(idsOf(fairOrder(jobs, 'a'))).toEqual(['b1', 'c1', 'a1', 'b2'])
  expect(idsOf(fairOrder(jobs, 'c'))).toEqual(['a1', 'b1', 'c1', 'b2'])
  expect(idsOf(fairOrder(jobs, 'bb'))).toEqual(['c1', 'a1', 'b1', 'b2'])
})

test('priority, then the time since when it is due, orders within a workspace and not beyond', () => {
  const jobs = [
    job('b', 'low', { priority: -1 }),
    job('b', 'late', { runAt: 2 }),
    job('b', 'early', { runAt: 1 }),
    job('a', 'calm'),
    job('b', 'urgent', { priority: 100, runAt: 9 }),
  ]
  expect(idsOf(fairOrder(jobs, ''))).toEqual(['calm', 'urgent', 'early', 'late', 'low'])
})

test('no jobs have no order', () => {
  expect(fairOrder([], 'a')).toEqual([])
})
