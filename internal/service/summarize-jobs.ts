/** Counts the jobs of a workspace, in portions, so that a long history holds nobody up. */
import { type JobSummary, summarizeJobs } from '#core/job-summary.ts'
import { type TimelinePiece, timelineSpan, toTimeline } from '#core/job-timeline.ts'
import {
  countEndedByTime,
  countEndedJobs,
  countOpenJobs,
  type EndedPosition,
  type Portion,
} from '#store/job-counts.ts'
import type { Deps } from './deps.ts'

const PORTION = 10_000

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** All portions, one after the other. */
const countAll = async <Count, Position>(
  first: Position,
  count: (after: Position) => Promise<Portion<Count, Position>>,
): Promise<readonly Count[]> => {
  const all: Count[] = []
  for (let after: Position | null = first; after !== null; await breathe()) {
    const portion: Portion<Count, Position> = await count(after)
    all.push(...portion.counts)
    after = portion.next
  }
  return all
}

const afterTime = (completedAt: number): EndedPosition => ({ completedAt, jobId: '' })

/** @param recentSeconds how far back ended jobs count, by the database's clock */
export const summarizeWorkspaceJobs = async (
  { reads: db }: Pick<Deps, 'reads'>,
  ws: string,
  recentSeconds: number,
): Promise<JobSummary> => {
  const since = (await db.now()) - recentSeconds * 1_000
  const open = await countAll('', (after) => countOpenJobs(db, ws, { after, limit: PORTION }))
  const ended = await countAll(afterTime(since), (after) =>
    countEndedJobs(db, ws, { after, limit: PORTION }),
  )
  return summarizeJobs(
    open,
    ended.map(({ outcome, ...rest }) => ({ ...rest, status: outcome })),
  )
}

export type JobTimeline = Readonly<{ pieceMs: number; pieces: readonly TimelinePiece[] }>

/** How many jobs ended when, over the same time, by the database's clock. */
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
