import { expect, test } from 'vitest'
import { type Bucket, jobsOf, seriesOf, totalsOf } from './series.ts'

const EMPTY: Bucket = {
  at: '2026-01-01T00:00:00.000Z',
  runs: 0,
  failures: 0,
  estimated: false,
  truncated: false,
  wait_p50_ms: null,
  wait_p95_ms: null,
  duration_p50_ms: null,
  duration_p95_ms: null,
}
const BUSY = { ...EMPTY, runs: 10, failures: 2, duration_p50_ms: 20, duration_p95_ms: 90 }

test('a chart has a gap where nothing ran, and knows its highest value', () => {
  expect(seriesOf([EMPTY, BUSY], 'duration')).toEqual({
    p50: [null, 20],
    p95: [null, 90],
    highest: { p50: 20, p95: 90 },
  })
  expect(seriesOf([EMPTY], 'wait').highest).toBeNull()
})

test('totals are estimated and truncated as soon as one bucket is', () => {
  expect(totalsOf([EMPTY, BUSY, { ...BUSY, estimated: true, truncated: true }])).toEqual({
    runs: 20,
    failures: 4,
    isEstimated: true,
    isTruncated: true,
  })
})

test('a bucket leads to its own jobs, and to none of the next bucket', () => {
  const figures = {
    bucket_seconds: 900,
    buckets: [EMPTY, { ...EMPTY, at: '2026-01-01T00:15:00.000Z' }],
  }
  expect(jobsOf(figures, 1, { app: 'shop' })).toEqual({
    app: 'shop',
    since: '2026-01-01T00:15:00.000Z',
    until: '2026-01-01T00:29:59.999Z',
  })
})
