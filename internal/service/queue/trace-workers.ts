/** Finds which workers ran the jobs of a workspace over time, from a sample of each interval. Nothing is written for it. */
import { type SampledInterval, type WorkerHistory, workerHistory } from '#core/job/figures.ts'
import { timelineSpan } from '#core/job/timeline.ts'
import { limit } from '#core/limit.ts'
import { countJobsOf, type JobPeriod, sampleWorkers } from '#store/jobs/sample.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../portions/take-turn.ts'

const MOST_SAMPLED = limit(
  'job.workers_sample',
  500,
  'items',
  'Jobs of an interval of `GET /workers/history` whose worker is read: the newest.',
)
const MOST_COUNTED = limit(
  'job.workers_runs',
  5_000,
  'items',
  'Jobs of an interval of `GET /workers/history` that are counted.',
)
const MOST_WORKERS = limit(
  'job.workers_listed',
  100,
  'items',
  'Workers that `GET /workers/history` lists: those with most jobs.',
)

export type IntervalCount = Readonly<{ at: number; jobs: number; isEstimated: boolean }>

export type WorkersOver = Readonly<{
  pieceMs: number
  pieces: readonly IntervalCount[]
  workers: readonly WorkerHistory[]
}>

/** Traces workers over time [jobs 5.11]. */
export const traceWorkers = async (
  { reads: db }: Pick<Deps, 'reads'>,
  { ws, recentSeconds }: Readonly<{ ws: string; recentSeconds: number }>,
): Promise<WorkersOver> => {
  const { from: first, pieceMs, pieces } = timelineSpan(await db.now(), recentSeconds)
  const intervals: (SampledInterval & Readonly<{ at: number }>)[] = []
  for (let index = 0; index < pieces; index += 1) {
    const at = first + index * pieceMs
    const period: JobPeriod = { ws, app: null, action: null, from: at, to: at + pieceMs }
    const runs = await countJobsOf(db, period, MOST_COUNTED)
    const workers = runs === 0 ? [] : await sampleWorkers(db, period, MOST_SAMPLED)
    intervals.push({ at, runs, sampled: Math.min(runs, MOST_SAMPLED), workers })
    // let other requests have a turn
    await takeTurn()
  }
  return {
    pieceMs,
    pieces: intervals.map(({ at, runs, sampled }) => ({
      at,
      jobs: runs,
      isEstimated: runs > sampled,
    })),
    workers: workerHistory(intervals, MOST_WORKERS),
  }
}
