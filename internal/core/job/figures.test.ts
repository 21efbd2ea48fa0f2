import { describe, expect, test } from 'vitest'
import { jobFigures, percentiles, type SampledJob } from './figures.ts'

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
  test('that are gone from the sample count without failures', () => {
    const nothing = { failures: 0, wait: null, duration: null }
    expect(jobFigures(2, [])).toEqual({ runs: 2, isEstimated: true, ...nothing })
  })

  test('of a whole sample are exact', () => {
    const sample = [job(10, 100), job(20, 300), job(30, 200, 'failure')]
    expect(jobFigures(3, sample)).toEqual({
      runs: 3,
      failures: 1,
      isEstimated: false,
      wait: { p50: 20, p95: 30 },
      duration: { p50: 200, p95: 300 },
    })
  })

  test('of a part count failures by their share', () => {
    const sample = [job(1, 1), job(1, 1, 'failure')]
    expect(jobFigures(1_000, sample)).toMatchObject({ failures: 500, isEstimated: true })
  })

  test('of jobs that have not started have no times', () => {
    const queued: SampledJob = { status: 'queued', dueAt: 1, startedAt: null, endedAt: null }
    expect(jobFigures(1, [queued])).toMatchObject({ runs: 1, wait: null, duration: null })
    expect(jobFigures(0, [])).toMatchObject({ runs: 0, failures: 0, isEstimated: false })
  })

  test('never wait or run less than no time', () => {
    expect(jobFigures(1, [job(-5, -5)])).toMatchObject({
      wait: { p50: 0, p95: 0 },
      duration: { p50: 0, p95: 0 },
    })
  })
})
