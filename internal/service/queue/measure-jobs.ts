/** How the jobs of a workspace or app went over time. Each interval is a sample, so a long history costs no more than a short one. */
import { setImmediate } from 'node:timers/promises'
import { type JobFigures, jobFigures } from '#core/job/figures.ts'
import { timelineSpan } from '#core/job/timeline.ts'
import { limit } from '#core/limit.ts'
import { countJobsOf, sampleJobs } from '#store/jobs/sample.ts'
import type { Deps } from '../deps.ts'

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

/** The figures of the jobs that were queued from `at` on, in milliseconds. */
export type FiguresAt = JobFigures & Readonly<{ at: number }>

export type FiguresOver = Readonly<{ pieceMs: number; pieces: readonly FiguresAt[] }>

/** Measures them [jobs 5.10]. @param app null for all */
export const measureJobs = async (
  { reads: db }: Pick<Deps, 'reads'>,
  { ws, app, recentSeconds }: Readonly<{ ws: string; app: string | null; recentSeconds: number }>,
): Promise<FiguresOver> => {
  const { from: first, pieceMs, pieces } = timelineSpan(await db.now(), recentSeconds)
  const measured: FiguresAt[] = []
  for (let index = 0; index < pieces; index += 1) {
    const from = first + index * pieceMs
    const period = { ws, app, from, to: from + pieceMs }
    const sample = await sampleJobs(db, period, MOST_SAMPLED)
    const isWhole = sample.length < MOST_SAMPLED
    const runs = isWhole ? sample.length : await countJobsOf(db, period, MOST_COUNTED)
    measured.push({ at: from, ...jobFigures(runs, sample) })
    // other requests have their turn
    await setImmediate()
  }
  return { pieceMs, pieces: measured }
}
