/**
 * Measures how the jobs of a workspace, app or action went over time. It counts a bounded number of jobs of each interval, and
 * reads the times of a sample, so a long history costs no more than a short one.
 */
import { type JobFigures, jobFigures } from '#core/job/figures.ts'
import { timelineSpan } from '#core/job/timeline.ts'
import { limit } from '#core/limit.ts'
import { countJobsOf, countOutcomesOf, type JobPeriod, sampleJobs } from '#store/jobs/sample.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../portions/take-turn.ts'

const MOST_SAMPLED = limit(
  'job.figures_sample',
  200,
  'items',
  'Jobs of an interval of `GET /jobs/figures` whose times are read: the newest.',
)
const MOST_COUNTED = limit(
  'job.figures_runs',
  5_000,
  'items',
  'Jobs of an interval of `GET /jobs/figures` that are counted.',
)
const MOST_SCANNED = limit(
  'job.figures_scan',
  2_000,
  'items',
  'Jobs of an app that `GET /jobs/figures` looks through for those of one action, in each interval: the newest.',
)

/** The figures of the jobs that were queued from `at` on, in milliseconds. */
export type FiguresAt = JobFigures &
  Readonly<{
    at: number
    /** There may be more jobs than were counted. */
    isTruncated: boolean
  }>

export type FiguresOver = Readonly<{ pieceMs: number; pieces: readonly FiguresAt[] }>

export type MeasuredJobs = Readonly<{
  ws: string
  /** Null for all apps. */
  app: string | null
  /** Null for all actions of the app. */
  action: string | null
  recentSeconds: number
}>

/** Measures jobs over time [jobs 5.10]. */
export const measureJobs = async (
  { reads: db }: Pick<Deps, 'reads'>,
  { ws, app, action, recentSeconds }: MeasuredJobs,
): Promise<FiguresOver> => {
  const { from: first, pieceMs, pieces } = timelineSpan(await db.now(), recentSeconds)
  const measured: FiguresAt[] = []
  for (let index = 0; index < pieces; index += 1) {
    const from = first + index * pieceMs
    const period: JobPeriod = {
      ws,
      app,
      action: action === null ? null : { key: action, scanned: MOST_SCANNED },
      from,
      to: from + pieceMs,
    }
    const sample = await sampleJobs(db, period, MOST_SAMPLED)
    const isWhole = sample.length < MOST_SAMPLED
    const counted = isWhole ? null : await countOutcomesOf(db, period, MOST_COUNTED)
    // older jobs of the action may be behind those that were scanned
    const isCut =
      action !== null &&
      (await countJobsOf(db, { ...period, action: null }, MOST_SCANNED + 1)) > MOST_SCANNED
    const isTruncated = isCut || (counted?.runs ?? 0) >= MOST_COUNTED
    measured.push({ at: from, ...jobFigures(sample, counted), isTruncated })
    // let other requests have a turn
    await takeTurn()
  }
  return { pieceMs, pieces: measured }
}
