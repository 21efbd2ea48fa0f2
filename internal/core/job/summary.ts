/** The job summary [jobs 5.8], folded from counts. */
import type { JobStatus } from './transitions.ts'

export type JobCount = Readonly<{ status: JobStatus; app: string; count: number }>
export type TaggedJobCount = JobCount & Readonly<{ tag: string }>

export type TagCounts = Readonly<{ tag: string; queued: number; running: number }>
export type AppCounts = Readonly<{
  app: string
  queued: number
  running: number
  completed: number
  failed: number
  canceled: number
}>

export type JobSummary = Readonly<{
  queuedCount: number
  suspendedCount: number
  runningCount: number
  completedCount: number
  failedCount: number
  canceledCount: number
  byTag: readonly TagCounts[]
  byApp: readonly AppCounts[]
}>

const sum = (counts: readonly JobCount[], status: JobStatus): number =>
  counts.reduce((total, each) => (each.status === status ? total + each.count : total), 0)

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): readonly [string, T[]][] =>
  [...Map.groupBy(items, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * Sums up counts. A group may occur twice.
 * @param open queued and running jobs, without suspended ones
 * @param ended jobs that ended within the window
 */
export const summarizeJobs = (
  open: readonly TaggedJobCount[],
  ended: readonly JobCount[],
  suspendedCount: number,
): JobSummary => ({
  queuedCount: sum(open, 'queued'),
  suspendedCount,
  runningCount: sum(open, 'running'),
  completedCount: sum(ended, 'success'),
  failedCount: sum(ended, 'failure'),
  canceledCount: sum(ended, 'canceled'),
  byTag: groupBy(open, ({ tag }) => tag).map(([tag, counts]) => ({
    tag,
    queued: sum(counts, 'queued'),
    running: sum(counts, 'running'),
  })),
  byApp: groupBy([...open, ...ended], ({ app }) => app).map(([app, counts]) => ({
    app,
    queued: sum(counts, 'queued'),
    running: sum(counts, 'running'),
    completed: sum(counts, 'success'),
    failed: sum(counts, 'failure'),
    canceled: sum(counts, 'canceled'),
  })),
})
