import { expect, test } from 'vitest'
import { spanOf, type TimedStep, timelineRows } from './timeline.ts'

const at = (s: number): string => new Date(s * 1_000).toISOString()
const step = (given: Partial<TimedStep>): TimedStep => ({
  key: 'one',
  kind: 'action',
  started_at: at(0),
  completed_at: at(10),
  queue_wait_ms: 2_000,
  ...given,
})
const SPAN = { from: 0, to: 20_000 }

test('a step that is over waited for a worker and then ran', () => {
  expect(timelineRows([step({})], SPAN)).toEqual([
    {
      key: 'one',
      ms: 10_000,
      isOpen: false,
      segments: [
        { kind: 'queue', from: 0, to: 0.1 },
        { kind: 'run', from: 0.1, to: 0.5 },
      ],
    },
  ])
})

test('one that no worker has taken yet waits until now', () => {
  const open = step({ completed_at: null, queue_wait_ms: null, started_at: at(5) })
  expect(timelineRows([open], SPAN)).toEqual([
    { key: 'one', ms: 15_000, isOpen: true, segments: [{ kind: 'queue', from: 0.25, to: 1 }] },
  ])
})

test('an approval waits for people, a sleep and an event wait, a subflow runs at once, and what has not begun has no bar', () => {
  const rows = timelineRows(
    [
      step({ kind: 'approval', queue_wait_ms: null }),
      step({ kind: 'subflow', queue_wait_ms: null, completed_at: null }),
      step({ kind: 'sleep', queue_wait_ms: null }),
      step({ kind: 'event', queue_wait_ms: null, completed_at: null }),
      step({ started_at: null, completed_at: null }),
    ],
    SPAN,
  )
  expect(rows.map(({ segments }) => segments.map(({ kind }) => kind))).toEqual([
    ['people'],
    ['run'],
    ['wait'],
    ['wait'],
    [],
  ])
  expect(rows[4]?.ms).toBeNull()
})

test('the time of a run ends with it, or is now, or what the server has said of its steps', () => {
  const run = { created_at: at(0), completed_at: null }
  expect(spanOf(run, [], 7_000)).toEqual({ from: 0, to: 7_000 })
  // the viewer's clock is slow
  expect(spanOf(run, [step({})], 7_000)).toEqual({ from: 0, to: 10_000 })
  expect(spanOf({ ...run, completed_at: at(9) }, [], 70_000)).toEqual({ from: 0, to: 9_000 })
  expect(spanOf({ created_at: at(0), completed_at: at(0) }, [], 0)).toEqual({ from: 0, to: 1 })
})
