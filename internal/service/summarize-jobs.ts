/** Counts the jobs of a workspace, in portions, so that a long history holds nobody up. */
import { type JobSummary, summarizeJobs } from '#core/job-summary.ts'
import { type TimelinePiece, timelineSpan, toTimeline } from '#core/job-timeline.ts'
import type { Reader } from '#store/database.ts'
import {
  countEndedByTime,
  countEndedJobs,
  countOpenJobs,
  type EndedAtCount,
  type EndedCount,
  type EndedPosition,
  type OpenCount,
} from '#store/job-counts.ts'
import type { Deps } from './deps.ts'

const PORTION = 10_000

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const countOpen = async (db: Reader, ws: string): Promise<readonly OpenCount[]> => {
  const all: OpenCount[] = []
  for (let afterId: string | null = ''; afterId !== null; await breathe()) {
    const portion = await countOpenJobs(db, ws, { afterId, limit: PORTION })
    all.push(...portion.counts)
    afterId = portion.nextId
  }
  return all
}

const countEnded = async (
  db: Reader,
  ws: string,
  since: number,
): Promise<readonly EndedCount[]> => {
  const all: EndedCount[] = []
  let after: EndedPosition | null = { completedAt: since, jobId: '' }
  for (; after !== null; await breathe()) {
    const portion = await countEndedJobs(db, ws, { after, limit: PORTION })
    all.push(...portion.counts)
    after = portion.next
  }
  return all
}

/** @param recentSeconds how far back ended jobs count, by the database's clock */
export const summarizeWorkspaceJobs = async (
  { reads: db }: Pick<Deps, 'reads'>,
  ws: string,
  recentSeconds: number,
): Promise<JobSummary> => {
  const since = (await db.now()) - recentSeconds * 1_000
  const [open, ended] = [await countOpen(db, ws), await countEnded(db, ws, since)]
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
  const all: EndedAtCount[] = []
  let after: EndedPosition | null = { completedAt: span.from, jobId: '' }
  for (; after !== null; await breathe()) {
    const portion = await countEndedByTime(db, ws, { after, limit: PORTION, pieceMs: span.pieceMs })
    all.push(...portion.counts)
    after = portion.next
  }
  return { pieceMs: span.pieceMs, pieces: toTimeline(span, all) }
}
