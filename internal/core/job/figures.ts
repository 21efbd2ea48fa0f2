/** How a span of jobs went: how many, how many failed, and, from a sample of them, how long they waited and ran. Pure. */
import type { JobStatus } from './transitions.ts'

export type SampledJob = Readonly<{
  status: JobStatus
  /** When it was due, started and ended, in milliseconds; null if it has not. */
  dueAt: number
  startedAt: number | null
  endedAt: number | null
}>

export type Percentiles = Readonly<{ p50: number; p95: number }>

export type JobCounts = Readonly<{ runs: number; failures: number }>

export type JobFigures = JobCounts &
  Readonly<{
    /** Whether the sample, from which the times come, lacks some of the jobs. */
    isSampled: boolean
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

/** @param sample the newest jobs @param counted all of them; null if the sample has all */
export const jobFigures = (
  sample: readonly SampledJob[],
  counted: JobCounts | null,
): JobFigures => {
  const failures = sample.filter(({ status }) => status === 'failure').length
  const counts = counted ?? { runs: sample.length, failures }
  return {
    ...counts,
    isSampled: counts.runs > sample.length,
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

/** What one worker did among the sampled jobs of an interval. Times are in milliseconds. */
export type WorkerSample = Readonly<{
  worker: string
  jobs: number
  failures: number
  firstAt: number
  lastAt: number
}>

export type SampledInterval = Readonly<{
  /** All jobs of the interval. */
  runs: number
  /** How many of them were sampled. */
  sampled: number
  workers: readonly WorkerSample[]
}>

export type WorkerHistory = Readonly<{
  name: string
  jobs: number
  failures: number
  firstAt: number
  lastAt: number
  /** Its jobs in each interval. */
  perInterval: readonly number[]
}>

/**
 * Returns what each worker did over the intervals, those with most jobs first. A sample is extrapolated to
 * all jobs of its interval.
 */
export const workerHistory = (
  intervals: readonly SampledInterval[],
  most: number,
): readonly WorkerHistory[] => {
  const found = new Map<string, WorkerHistory>()
  for (const [index, { runs, sampled, workers }] of intervals.entries()) {
    const share = Math.max(runs, sampled) / Math.max(sampled, 1)
    for (const { worker: name, jobs, failures, firstAt, lastAt } of workers) {
      const known = found.get(name)
      const counted = Math.round(jobs * share)
      const before = known?.perInterval ?? intervals.map(() => 0)
      found.set(name, {
        name,
        jobs: (known?.jobs ?? 0) + counted,
        failures: (known?.failures ?? 0) + Math.round(failures * share),
        firstAt: Math.min(known?.firstAt ?? firstAt, firstAt),
        lastAt: Math.max(known?.lastAt ?? lastAt, lastAt),
        perInterval: before.with(index, counted),
      })
    }
  }
  return [...found.values()]
    .toSorted((one, other) => other.jobs - one.jobs || (one.name < other.name ? -1 : 1))
    .slice(0, most)
}
