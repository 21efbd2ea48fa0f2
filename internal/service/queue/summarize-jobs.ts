/** Counts the jobs of a workspace, in portions, so that a long history does not block other reads. */
import { type JobSummary, summarizeJobs } from '#core/job/summary.ts'
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

const PORTION = 10_000

const afterTime = (completedAt: number): EndedPosition => ({ completedAt, jobId: '' })

/** Counts jobs by status and action. @param recentSeconds how far back ended jobs count, by the database's clock */
export const summarizeWorkspaceJobs = async (
  { reads: db }: Pick<Deps, 'reads'>,
  ws: string,
  recentSeconds: number,
): Promise<JobSummary> => {
  const since = (await db.now()) - recentSeconds * 1_000
  const open = await countOpenJobs(db, ws)
  const ended = await countAll(afterTime(since), (after) =>
    countEndedJobs(db, ws, { after, limit: PORTION }),
  )
  return summarizeJobs(
    open,
    ended.map(({ outcome, ...rest }) => ({ ...rest, status: outcome })),
    await countSuspended(db, ws),
  )
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
