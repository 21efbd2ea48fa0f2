/** Counts the jobs of a workspace, in portions, so that a long history does not block other reads. */
import { type JobCount, type JobSummary, summarizeJobs } from '#core/job/summary.ts'
import { type TimelinePiece, timelineSpan, toTimeline } from '#core/job/timeline.ts'
import {
  countAll,
  countEndedByTime,
  countEndedJobs,
  countOpenJobs,
  countSuspended,
  type EndedPosition,
} from '#store/jobs/count.ts'
import type { Deps } from '../deps.ts'

/** Ended jobs that one statement counts, in up to 12 ms if each has another app. */
const PORTION = 4_000

const afterTime = (completedAt: number): EndedPosition => ({ completedAt, jobId: '' })

/** Counts jobs by status and action. @param recentSeconds how far back ended jobs count, by the database's clock */
export const summarizeWorkspaceJobs = async (
  { reads: db }: Pick<Deps, 'reads'>,
  ws: string,
  recentSeconds: number,
): Promise<JobSummary> => {
  const since = (await db.now()) - recentSeconds * 1_000
  const open = await countOpenJobs(db, ws)
  // added up portion by portion, because a long history of thousands of apps has very many counts
  const ended = new Map<string, JobCount>()
  await countAll(afterTime(since), async (after) => {
    const { counts, next } = await countEndedJobs(db, ws, { after, limit: PORTION })
    for (const { outcome: status, app, count } of counts) {
      const key = `${status} ${app}`
      ended.set(key, { status, app, count: count + (ended.get(key)?.count ?? 0) })
    }
    return { counts: [], next }
  })
  return summarizeJobs(open, [...ended.values()], await countSuspended(db, ws))
}

export type JobTimeline = Readonly<{ pieceMs: number; pieces: readonly TimelinePiece[] }>

/** Counts ended jobs over time, in equal intervals, by the database's clock. */
export const traceWorkspaceJobs = async (
  { reads: db }: Pick<Deps, 'reads'>,
  ws: string,
  recentSeconds: number,
): Promise<JobTimeline> => {
  const span = timelineSpan(await db.now(), recentSeconds)
  const { from, pieceMs } = span
  const ended = await countAll(afterTime(from), (after) =>
    countEndedByTime(db, ws, { after, limit: PORTION, pieceMs }),
  )
  return { pieceMs, pieces: toTimeline(span, ended) }
}
