/** Deletes rows that are older than their retention, and rows that have expired [jobs 13.1]. */

import { setTimeout } from 'node:timers/promises'
import { chunksOf } from '#core/chunks-of.ts'
import { DAY_MS } from '#core/time-units.ts'
import { deleteUnusedPacks, hasUnusedPacks } from '#store/apps/git-repositories.ts'
import { deleteSomeLeftRows, findLeftApps, hasLeftRows } from '#store/apps/left-rows.ts'
import { deleteNotedSources, referredSources, sourceNotes } from '#store/apps/unused-sources.ts'
import type { Database, Statement } from '#store/database.ts'
import { deleteOldRows, hasOldRows, type OldRowsTable } from '#store/old-rows.ts'
import { deleteOldOperations, hasOldOperations } from '#store/operations.ts'
import {
  deleteEndedFlowRuns,
  deleteEndedJobs,
  deleteExpired,
  deleteSomeRows,
  type EndedJobsQuery,
  findEndOfOldJobs,
  findExpired,
  haveManyRows,
  isFull,
  listEndedFlowRuns,
  listEndedJobs,
  type Owners,
  type WeighedJob,
  type WeighedRun,
} from '#store/sweeps.ts'
import { listWorkspaceIds } from '#store/workspaces/workspaces.ts'
import type { Deps } from './deps.ts'

/** Rows per write, which takes a few milliseconds during which nothing else in this process runs. */
const BATCH = 100
/** Pages of 4 KiB that are reclaimed per turn, which takes about 10 ms. */
const PAGES_PER_TURN = 128
const PAUSE_MS = 5

export type SweepTurn = Readonly<{
  signal: AbortSignal
  /** Called before each delete, so that only one of several nodes deletes. @default always true */
  mayDelete?: () => Promise<boolean>
}>

export type SweepRequest = SweepTurn &
  Readonly<{
    /** 0 keeps everything. */
    retentionDays: number
  }>

type SweepDeps = Pick<Deps, 'db'>

const always = async (): Promise<boolean> => true

/** Lets other work run between two batches. */
const pause = (): Promise<void> => setTimeout(PAUSE_MS)

const cutoffOf = async (db: Database, retentionDays: number): Promise<number> =>
  (await db.now()) - retentionDays * DAY_MS

/** Old jobs of one part, most of which may still wait. A statement passes them in a few milliseconds. */
const JOBS_PER_PART = 2_000
/** Rows that are requested at once of a server, whose statements do not delay this process. */
const LISTED = 100
/** Milliseconds of rows that are read in one turn. */
const LISTING_MS = 10

/**
 * Lists jobs or flow runs that one write may delete. In a file it reads them one by one, because SQLite reads the whole of each,
 * with its large values: a hundred may have hundreds of megabytes.
 */
const listForOneWrite = async <Owner extends Readonly<{ bytes: number }>>(
  { backend }: Database,
  list: (after: Owner | null, limit: number) => Promise<readonly Owner[]>,
): Promise<readonly Owner[]> => {
  const limit = backend === 'file' ? 1 : LISTED
  const all: Owner[] = []
  let began = performance.now()
  while (!isFull(all)) {
    const next = await list(all.at(-1) ?? null, limit)
    for (const owner of next) if (!isFull(all)) all.push(owner)
    if (next.length < limit) break
    if (performance.now() - began < LISTING_MS) continue
    await pause()
    began = performance.now()
  }
  return all
}

/** Deletes ended jobs with their logs. @returns the number of deleted jobs */
export const sweepJobs = async (
  { db }: SweepDeps,
  { retentionDays, ...turn }: SweepRequest,
): Promise<number> => {
  if (retentionDays === 0) return 0
  const { mayDelete = always } = turn
  const endedBefore = await cutoffOf(db, retentionDays)
  let deleted = 0
  for (const ws of await listWorkspaceIds(db)) {
    for await (const ids of endedJobs(db, { ws, endedBefore }, turn.signal)) {
      await sweepManyRows(db, turn, { kind: 'jobs', list: ids.map((id) => ({ ws, id })) })
      if (turn.signal.aborted || !(await mayDelete())) return deleted
      await db.write(deleteEndedJobs(ws, ids), { retry: true })
      deleted += ids.length
      await pause()
    }
  }
  return deleted
}

/** Yields the jobs of a workspace that have ended, as many as one write may delete. It looks at all old jobs in parts. */
async function* endedJobs(
  db: Database,
  at: Pick<EndedJobsQuery, 'ws' | 'endedBefore'>,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  for (let partId = ''; !signal.aborted; ) {
    const lastId = await findEndOfOldJobs(db, { ...at, afterId: partId }, JOBS_PER_PART)
    let afterId: string | undefined = partId
    while (afterId !== undefined && !signal.aborted) {
      const from: string = afterId
      const jobs = await listForOneWrite<WeighedJob>(db, (after, limit) =>
        listEndedJobs(db, { ...at, afterId: after?.id ?? from, lastId, limit }),
      )
      if (jobs.length > 0) yield jobs.map(({ id }) => id)
      afterId = jobs.at(-1)?.id
    }
    if (lastId === null) return
    partId = lastId
    await pause()
  }
}

/** Releases disk space that deleted rows have freed. */
export const reclaimAll = async (db: Database, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted && (await db.reclaim(PAGES_PER_TURN)) > 0) await pause()
}

type Sweep = Readonly<{
  hasRows: () => Promise<boolean>
  deleteBatch: () => readonly Statement[]
}>

/** Deletes rows of jobs or flow runs until one write may delete the rest together with these. */
const sweepManyRows = (db: Database, turn: SweepTurn, owners: Owners): Promise<void> =>
  sweep({ db }, turn, {
    hasRows: () => haveManyRows(db, owners),
    deleteBatch: () => deleteSomeRows(db, owners),
  })

/** Deletes ended flow runs with their steps. */
export const sweepFlowRuns = async (
  { db }: SweepDeps,
  { retentionDays, ...turn }: SweepRequest,
): Promise<void> => {
  if (retentionDays === 0) return
  const { mayDelete = always } = turn
  const endedBefore = await cutoffOf(db, retentionDays)
  while (!turn.signal.aborted) {
    const runs = await listForOneWrite<WeighedRun>(db, (after, limit) =>
      listEndedFlowRuns(db, endedBefore, { after, limit }),
    )
    if (runs.length === 0) return
    await sweepManyRows(db, turn, { kind: 'flow_runs', list: runs })
    if (turn.signal.aborted || !(await mayDelete())) return
    await db.write(deleteEndedFlowRuns(runs), { retry: true })
    await pause()
  }
}

const sweep = async (
  { db }: SweepDeps,
  { signal, mayDelete = always }: SweepTurn,
  { hasRows, deleteBatch }: Sweep,
): Promise<void> => {
  while (!signal.aborted && (await hasRows())) {
    if (!(await mayDelete())) return
    await db.write(deleteBatch(), { retry: true })
    await pause()
  }
}

/** Deletes rows of one table that are older than `retentionDays`. */
export const sweepOldRows = async (
  { db }: SweepDeps,
  table: OldRowsTable,
  { retentionDays, ...turn }: SweepRequest,
): Promise<void> => {
  if (retentionDays === 0) return
  await sweep({ db }, turn, {
    hasRows: () => hasOldRows(db, table, retentionDays),
    deleteBatch: () => [deleteOldRows(table, retentionDays, BATCH)],
  })
}

/** Deletes operations on many jobs that ended before `retentionDays`. */
export const sweepOperations = async (
  { db }: SweepDeps,
  { retentionDays, ...turn }: SweepRequest,
): Promise<void> => {
  if (retentionDays === 0) return
  await sweep({ db }, turn, {
    hasRows: () => hasOldOperations(db, retentionDays),
    deleteBatch: () => deleteOldOperations(retentionDays, BATCH),
  })
}

/** Deletes what deleted apps have left. */
export const sweepDeletedApps = async (deps: SweepDeps, turn: SweepTurn): Promise<void> => {
  for await (const app of findLeftApps(deps.db)) {
    await sweep(deps, turn, {
      hasRows: () => hasLeftRows(deps.db, app),
      deleteBatch: () => deleteSomeLeftRows(app),
    })
  }
}

/** Chunks of 1 MiB per write. */
const CHUNKS = 8

/** Deletes packs of pushes that were not accepted, and of apps that were deleted. */
export const sweepUnusedPacks = (deps: SweepDeps, turn: SweepTurn): Promise<void> =>
  sweep(deps, turn, {
    hasRows: () => hasUnusedPacks(deps.db),
    deleteBatch: () => deleteUnusedPacks(CHUNKS),
  })

/** Notes of one turn. The references of functions and drafts are read once for all of them. */
const NOTES = 1_000
/** Contents per write, of which each may have megabytes. */
const CONTENTS = 20

/** Deletes source files of deployments that were killed. */
export const sweepUnusedSources = async (
  { db }: SweepDeps,
  { signal, mayDelete = always }: SweepTurn,
): Promise<void> => {
  while (!signal.aborted) {
    const noted = await sourceNotes.listOld(db, NOTES)
    if (noted.length === 0) break
    const used = new Set<string>()
    for await (const hashes of referredSources(db, noted)) {
      for (const hash of hashes) used.add(hash)
      await pause()
    }
    if (!(await mayDelete())) break
    await db.write([sourceNotes.deleteOld([...used])], { retry: true })
    const unused = noted.filter((hash) => !used.has(hash))
    for (const some of chunksOf(unused, CONTENTS)) {
      if (signal.aborted || !(await mayDelete())) break
      await db.write(deleteNotedSources(some), { retry: true })
      await pause()
    }
  }
}

/** Deletes rows with their own expiry, such as sessions. */
export const sweepExpired = (deps: SweepDeps, turn: SweepTurn): Promise<void> =>
  sweep(deps, turn, {
    hasRows: async () => (await deps.db.one(findExpired))?.found === 1,
    deleteBatch: () => deleteExpired(deps.db, BATCH),
  })
