import { describe, expect, test } from 'vitest'
import { jobFigures, percentiles, type SampledJob, workerHistory } from './figures.ts'

const job = (waitMs: number, ranMs: number, status: SampledJob['status'] = 'success') => ({
  status,
  dueAt: 1_000,
  startedAt: 1_000 + waitMs,
  endedAt: 1_000 + waitMs + ranMs,
})

describe('percentiles', () => {
  test('are values that were there', () => {
    expect(percentiles([5])).toEqual({ p50: 5, p95: 5 })
    expect(percentiles(Array.from({ length: 100 }, (_, n) => 100 - n))).toEqual({
      p50: 50,
      p95: 95,
    })
    expect(percentiles([])).toBeNull()
  })
})

describe('figures of jobs', () => {
  test('of a whole sample are counted in it', () => {
    const sample = [job(10, 100), job(20, 300), job(30, 200, 'failure')]
    expect(jobFigures(sample, null)).toEqual({
      runs: 3,
      failures: 1,
      isSampled: false,
      wait: { p50: 20, p95: 30 },
      duration: { p50: 200, p95: 300 },
    })
  })

  test('of a part have the counts of the whole, and the times of the part', () => {
    const sample = [job(1, 1), job(1, 1, 'failure')]
    const counted = { runs: 1_000, failures: 3 }
    expect(jobFigures(sample, counted)).toMatchObject({ ...counted, isSampled: true })
    const gone = { isSampled: true, wait: null, duration: null }
    expect(jobFigures([], counted)).toEqual({ ...counted, ...gone })
  })

  test('of jobs that have not started have no times', () => {
    const queued: SampledJob = { status: 'queued', dueAt: 1, startedAt: null, endedAt: null }
    expect(jobFigures([queued], null)).toMatchObject({ runs: 1, wait: null, duration: null })
    expect(jobFigures([], null)).toMatchObject({ runs: 0, failures: 0, isSampled: false })
  })

  test('never wait or run less than no time', () => {
    expect(jobFigures([job(-5, -5)], null)).toMatchObject({
      wait: { p50: 0, p95: 0 },
      duration: { p50: 0, p95: 0 },
    })
  })
})

test('a sample of workers stands for all jobs of its interval, and the busiest come first', () => {
  const ran = (worker: string, jobs: number, at: number) => ({
    worker,
    jobs,
    failures: 1,
    firstAt: at,
    lastAt: at + 5,
  })
  const intervals = [
    { runs: 4, sampled: 4, workers: [ran('a', 3, 10), ran('b', 1, 11)] },
    { runs: 0, sampled: 0, workers: [] },
    { runs: 1_000, sampled: 10, workers: [ran('b', 10, 30)] },
  ]
  expect(workerHistory(intervals, 2)).toEqual([
    { name: 'b', jobs: 1_001, failures: 101, firstAt: 11, lastAt: 35, perInterval: [1, 0, 1_000] },
    { name: 'a', jobs: 3, failures: 1, firstAt: 10, lastAt: 15, perInterval: [3, 0, 0] },
  ])
  expect(workerHistory(intervals, 1).map(({ name }) => name)).toEqual(['b'])
})
