/** Lists queued jobs that no live worker may claim, with the reason [jobs 10.7]. */
import type { IsolationLevel } from '#core/placement/isolation-level.ts'
import { findUnserved, levelOfRank, type WorkerReach } from '#core/placement/placement.ts'
import type { Database } from '#store/database.ts'
import { listReadyJobs, listReadyPlaces } from '#store/jobs/ready.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'

export type UnservedJob = Readonly<{
  id: string
  app: string
  action: string
  tag: string
  minLevel: IsolationLevel
  /** A sentence that names what is missing. */
  reason: string
}>

const MAX_JOBS = 100
/** Tags of one workspace that are read; each tag and level costs a few index lookups. */
const MAX_TAGS = 200

/** Lists at most 100 jobs by tag and level, each group in claim order. @param workers the live workers */
export const listUnserved = async (
  db: Database,
  ws: string,
  workers: readonly WorkerReach[],
): Promise<readonly UnservedJob[]> => {
  const allowedTags = (await findWorkspace(db, ws))?.allowedTags ?? null
  const unserved: UnservedJob[] = []
  for (const place of await listReadyPlaces(db, { ws, limit: MAX_TAGS })) {
    const minLevel = levelOfRank(place.levelRank)
    const found = findUnserved({ ws, tag: place.tag, minLevel }, workers, allowedTags)
    if (found === null) continue
    const { reason } = found
    const jobs = await listReadyJobs(db, place, MAX_JOBS - unserved.length)
    unserved.push(...jobs.map((job) => ({ ...job, tag: place.tag, minLevel, reason })))
    if (unserved.length >= MAX_JOBS) break
  }
  return unserved
}
