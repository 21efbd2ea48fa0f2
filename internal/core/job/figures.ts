/** How a span of jobs went, from a sample of them: how many, how many failed, how long they waited and ran. Pure. */
import type { JobStatus } from './transitions.ts'

export type SampledJob = Readonly<{
  status: JobStatus
  /** When it was due, started and ended, in milliseconds; null if it has not. */
  dueAt: number
  startedAt: number | null
  endedAt: number | null
}>

export type Percentiles = Readonly<{ p50: number; p95: number }>

export type JobFigures = Readonly<{
  runs: number
  failures: number
  /** The sample holds not all of the jobs: failures are its share, and runs may be more. */
  isEstimated: boolean
  /** Milliseconds; null if no job of the sample has started or ended. */
  wait: Percentiles | null
  duration: Percentiles | null
}>

/** The nearest rank: a value that a job has had. @param sorted ascending, with one value at least */
const rank = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0

export const percentiles = (values: readonly number[]): Percentiles | null => {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  return { p50: rank(sorted, 0.5), p95: rank(sorted, 0.95) }
}

/** @param runs how many jobs there are, of which `sample` has the newest */
export const jobFigures = (runs: number, sample: readonly SampledJob[]): JobFigures => {
  const failed = sample.filter(({ status }) => status === 'failure').length
  const isEstimated = runs > sample.length
  return {
    runs,
    failures: isEstimated ? Math.round((failed / Math.max(sample.length, 1)) * runs) : failed,
    isEstimated,
    wait: percentiles(
      sample.flatMap(({ dueAt, startedAt }) =>
        startedAt === null ? [] : Math.max(0, startedAt - dueAt),
      ),
    ),
    duration: percentiles(
      sample.flatMap(({ startedAt, endedAt }) =>
        startedAt === null || endedAt === null ? [] : Math.max(0, endedAt - startedAt),
      ),
    ),
  }
}
