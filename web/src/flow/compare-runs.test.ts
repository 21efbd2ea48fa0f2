import { expect, test } from 'vitest'
import type { Schemas } from '#sdk/client.ts'
import { compareSteps, diffValues, isDifferent } from './compare-runs.ts'

type Run = Schemas['FlowRunDetail']
type Step = Run['steps'][number]

const step = (key: string, more: Partial<Step> = {}): Step => ({
  key,
  kind: 'action',
  status: 'success',
  attempt: 1,
  max_attempts: 1,
  job_ids: [],
  result: null,
  error: null,
  started_at: '2026-11-24T10:00:00.000Z',
  completed_at: '2026-11-24T10:00:01.500Z',
  queue_wait_ms: 0,
  execution_ms: 1_500,
  human_wait_ms: null,
  ...more,
})

const run = (...steps: readonly Step[]): Run => ({
  id: 'a',
  flow_run_id: 'a',
  app: 'shop',
  flow: 'tour',
  status: 'completed',
  trigger_kind: 'api',
  created_by: 'ada@example.com',
  permissioned_as: 'ada@example.com',
  commit: 'c',
  current_step: null,
  scheduled_for: null,
  waiting_for: null,
  parent_run_id: null,
  restarted_from: null,
  labels: [],
  created_at: '2026-11-24T10:00:00.000Z',
  completed_at: '2026-11-24T10:00:02.000Z',
  input: {},
  result: null,
  error: null,
  ends_as: null,
  steps,
  definition: {},
})

test('steps are matched by key, in the order of the first run', () => {
  const rows = compareSteps(run(step('a'), step('b')), run(step('b'), step('c')))
  expect(rows.map(({ key, left, right }) => [key, left?.ms, right?.ms])).toEqual([
    ['a', 1_500, undefined],
    ['b', 1_500, 1_500],
    ['c', undefined, 1_500],
  ])
  expect(rows.map(isDifferent)).toEqual([true, false, true])
})

test('a result, an error or a way that differs is a difference, a duration alone is none', () => {
  const quick = step('a', { completed_at: '2026-11-24T10:00:00.100Z' })
  const [same] = compareSteps(run(step('a')), run(quick))
  expect(same).toMatchObject({ left: { ms: 1_500 }, right: { ms: 100 }, hunks: null })
  expect(same === undefined || isDifferent(same)).toBe(false)
  const failed = step('a', { status: 'failure', error: { name: 'Error', message: 'no' } })
  const [other] = compareSteps(run(step('a')), run(failed))
  expect(other === undefined || isDifferent(other)).toBe(true)
  const [skipped] = compareSteps(run(step('a')), run(step('a', { status: 'skipped' })))
  expect(skipped?.right?.ms).toBeNull()
})

test('values are compared line by line', () => {
  expect(diffValues({ a: 1 }, { a: 1 })).toBeNull()
  expect(diffValues(null, null)).toBeNull()
  const lines = diffValues({ a: 1, b: 2 }, { a: 1, b: 3 })?.flatMap((hunk) => hunk.lines)
  expect(lines?.filter(({ kind }) => kind !== 'same').map(({ text }) => text.trim())).toEqual([
    '"b": 2',
    '"b": 3',
  ])
})
