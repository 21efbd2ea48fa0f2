import { expect, test } from 'vitest'
import type { Schemas } from '#sdk/client.ts'
import { failureGroups } from './failure-groups.ts'

const failed = (id: string, app: string, action: string): Schemas['Job'] => ({
  id,
  job_id: id,
  status: 'failure',
  app,
  action,
  tag: 'default',
  priority: 0,
  attempt: 1,
  max_attempts: 1,
  trigger_kind: 'api',
  created_by: 'a@example.com',
  permissioned_as: 'a@example.com',
  commit: '1',
  entrypoint: 'a.ts',
  worker: 'w',
  created_at: '2026-01-01T00:00:00.000Z',
  scheduled_for: '2026-01-01T00:00:00.000Z',
  start_by: null,
  started_at: null,
  completed_at: null,
  duration_ms: null,
  suspended: null,
  labels: [],
})

test('an action that fails again and again is one group, with its newest failure and their count', () => {
  const groups = failureGroups([
    failed('4', 'shop', 'pay'),
    failed('3', 'mail', 'send'),
    failed('2', 'shop', 'pay'),
    failed('1', 'shop', 'ship'),
  ])
  expect(groups.map(({ latest: { id }, count }) => [id, count])).toEqual([
    ['4', 2],
    ['3', 1],
    ['1', 1],
  ])
  expect(failureGroups([])).toEqual([])
})
