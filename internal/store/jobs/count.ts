/**
 * Counts of jobs for people and for scaling. Queued jobs are counted by counters that triggers maintain, running jobs by their
 * rows, of which there are at most as many as worker slots. Ended jobs are counted in portions, because counting a long history
 * in one statement would block everything else in this process. The portions are not one snapshot.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TaggedJobCount } from '#core/job/summary.ts'
import type { EndedAt } from '#core/job/timeline.ts'
import { TERMINAL_STATUSES } from '#core/job/transitions.ts'
import type { Reader, Statement } from '../database.ts'
import { count, number, oneOf, type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

/** @template Position of the last row that was counted */
export type Portion<Count, Position> = Readonly<{
  counts: readonly Count[]
  /** Where the next portion begins; null after the last. */
  next: Position | null
}>

/** Counts all portions, one after another. The event loop runs between them. */
export const countAll = async <Count, Position>(
  first: Position,
  count: (after: Position) => Promise<Portion<Count, Position>>,
): Promise<readonly Count[]> => {
  const all: Count[] = []
  for (let after: Position | null = first; after !== null; await nextTurn()) {
    const portion: Portion<Count, Position> = await count(after)
    all.push(...portion.counts)
    after = portion.next
  }
  return all
}

/** Limit of counter rows that one statement reads. */
const COUNTERS = 1_000

const openCount = row({ tag: text, app: text, count: number('n') })

const countQueuedPortion = async (
  db: Reader,
  ws: string,
  after: Readonly<{ tag: string; app: string }>,
): Promise<Portion<TaggedJobCount, Readonly<{ tag: string; app: string }>>> => {
  const found = await openCount.all(
    db,
    sql`SELECT tag, app, sum(n) AS n FROM queue_counts WHERE ws = ${ws} AND ready < 2 AND n > 0 AND (tag, app) > (${after.tag}, ${after.app})
       GROUP BY tag, app ORDER BY tag, app LIMIT ${COUNTERS}`,
  )
  const counts = found.map((each) => ({ ...each, status: 'queued' as const }))
  return { counts, next: counts.length < COUNTERS ? null : (counts.at(-1) ?? null) }
}

const countRunning = async (db: Reader, ws: string): Promise<readonly TaggedJobCount[]> => {
  const found = await openCount.all(
    db,
    sql`SELECT tag, app, count(*) AS n FROM jobs INDEXED BY jobs_leased
       WHERE status = 'running' AND ws = ${ws} GROUP BY tag, app`,
  )
  return found.map((each) => ({ ...each, status: 'running' }))
}

/** Counts the queued and running jobs of a workspace, by tag and app. */
export const countOpenJobs = async (db: Reader, ws: string): Promise<readonly TaggedJobCount[]> => [
  ...(await countAll({ tag: '', app: '' }, (after) => countQueuedPortion(db, ws, after))),
  ...(await countRunning(db, ws)),
]

/** Counts the queued jobs of a workspace, including delayed ones. Suspended ones do not count, since they wait for no worker. */
export const countQueued = (db: Reader, ws: string): Promise<number> =>
  count(db, sql`SELECT COALESCE(sum(n), 0) FROM queue_counts WHERE ws = ${ws} AND ready < 2`)

/** Counts the suspended jobs of a workspace. */
export const countSuspended = (db: Reader, ws: string): Promise<number> =>
  count(db, sql`SELECT COALESCE(sum(n), 0) FROM queue_counts WHERE ws = ${ws} AND ready = 2`)

export type EndedPosition = Readonly<{ completedAt: number; jobId: string }>

/** @returns null after the last portion */
const nextPosition = (
  counted: readonly Readonly<{ count: number; last: string }>[],
  limit: number,
): EndedPosition | null => {
  const seen = counted.reduce((sum, { count }) => sum + count, 0)
  if (seen < limit) return null
  // the texts sort like the positions
  const last =
    counted
      .map((each) => each.last)
      .toSorted()
      .at(-1) ?? ''
  return { completedAt: Number(last.slice(0, 20)), jobId: last.slice(20) }
}

const outcome = oneOf(TERMINAL_STATUSES)

type EndedAfter = Readonly<{ after: EndedPosition; limit: number }>

/** Selects the next ended jobs of the ledger, which has one row for each. */
const endedPortion = (ws: string, { after, limit }: EndedAfter): Statement =>
  sql`SELECT app, outcome, completed_at, job_id FROM ledger INDEXED BY ledger_by_time
    WHERE ws = ${ws} AND (completed_at, job_id) > (${after.completedAt}, ${after.jobId})
    ORDER BY completed_at, job_id LIMIT ${limit}`

/** What `nextPosition` reads. */
const LAST = sql`max(format('%020d', completed_at) || job_id) AS last`

const endedByApp = row({ outcome, app: text, count: number('n'), last: text })

/** Counts ended jobs by outcome and app. */
export const countEndedJobs = async (
  db: Reader,
  ws: string,
  portion: EndedAfter,
): Promise<Portion<RowOf<typeof endedByApp>, EndedPosition>> => {
  const counted = await endedByApp.all(
    db,
    sql`WITH portion AS (${endedPortion(ws, portion)})
       SELECT app, outcome, count(*) AS n, ${LAST} FROM portion GROUP BY app, outcome`,
  )
  return { counts: counted, next: nextPosition(counted, portion.limit) }
}

const endedByPiece = row({ outcome, piece: number, count: number('n'), last: text })

/** Counts the same portions by outcome and by the period of `pieceMs` milliseconds in which the jobs ended. */
export const countEndedByTime = async (
  db: Reader,
  ws: string,
  { pieceMs, ...portion }: EndedAfter & Readonly<{ pieceMs: number }>,
): Promise<Portion<EndedAt, EndedPosition>> => {
  const counted = await endedByPiece.all(
    db,
    sql`WITH portion AS (${endedPortion(ws, portion)})
       SELECT outcome, completed_at / ${pieceMs} AS piece, count(*) AS n, ${LAST}
       FROM portion GROUP BY outcome, piece`,
  )
  const counts = counted.map(({ piece, ...count }) => ({ ...count, at: piece * pieceMs }))
  return { counts, next: nextPosition(counted, portion.limit) }
}

export type TagQueueCount = Readonly<{ tag: string; count: number; oldestAgeMs: number }>

const readyCount = row({ ws: text, tag: text, count: number('n'), oldestAgeMs: number('age') })

/** Counts ready jobs by workspace and tag. The oldest job is the first of its tag in `jobs_due`. */
const countReadyPortion = async (
  db: Reader,
  after: Readonly<{ ws: string; tag: string }>,
  lastWs: string | null,
): Promise<Portion<RowOf<typeof readyCount>, Readonly<{ ws: string; tag: string }>>> => {
  const counts = await readyCount.all(
    db,
    sql`WITH portion AS (
         SELECT ws, tag, sum(n) AS n FROM queue_counts
         WHERE ready = 1 AND n > 0 AND (ws, tag) > (${after.ws}, ${after.tag}) AND ws <= COALESCE(${lastWs}, ws)
         GROUP BY ws, tag ORDER BY ws, tag LIMIT ${COUNTERS})
       SELECT ws, tag, n, MAX(0, ${SQL_NOW} - (
         SELECT min(run_at) FROM jobs INDEXED BY jobs_due
         WHERE status = 'queued' AND ready = 1 AND jobs.ws = portion.ws AND jobs.tag = portion.tag)) AS age
       FROM portion ORDER BY ws, tag`,
  )
  return { counts, next: counts.length < COUNTERS ? null : (counts.at(-1) ?? null) }
}

/** Sums the counts by tag, with the age of the oldest job. */
export const mergeByTag = (counts: readonly TagQueueCount[]): readonly TagQueueCount[] => {
  const byTag = new Map<string, TagQueueCount>()
  for (const { tag, count, oldestAgeMs } of counts) {
    const sum = byTag.get(tag) ?? { tag, count: 0, oldestAgeMs: 0 }
    byTag.set(tag, {
      tag,
      count: sum.count + count,
      oldestAgeMs: Math.max(sum.oldestAgeMs, oldestAgeMs),
    })
  }
  return [...byTag.values()].toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
}

/** Counts the jobs of all workspaces that could run now, by tag, with how long the oldest has been due. */
export const countReadyByTag = async (db: Reader): Promise<readonly TagQueueCount[]> =>
  mergeByTag(await countAll({ ws: '', tag: '' }, (after) => countReadyPortion(db, after, null)))

/** The same, for one workspace. */
export const countReadyByTagIn = async (
  db: Reader,
  ws: string,
): Promise<readonly TagQueueCount[]> =>
  mergeByTag(await countAll({ ws, tag: '' }, (after) => countReadyPortion(db, after, ws)))
