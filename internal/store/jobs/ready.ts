/** Ready jobs by what they require of a worker: tag and isolation level. */
import { asNumber, asText } from '../column.ts'
import type { Reader, Statement } from '../database.ts'
import { SQL_NOW, sql } from '../sql.ts'

export type ReadyPlace = Readonly<{ ws: string; tag: string; levelRank: number }>

/** Lists the tags and levels under which a workspace has ready jobs. Each needs one probe, regardless of how many jobs wait. */
export const listReadyPlaces = async (
  db: Reader,
  { ws, limit }: Readonly<{ ws: string; limit: number }>,
): Promise<readonly ReadyPlace[]> => {
  const rows = await db.all(
    sql`WITH used (tag) AS (
         SELECT DISTINCT tag FROM queue_counts WHERE ws = ${ws} AND ready = 1 AND n > 0 ORDER BY tag LIMIT ${limit})
       SELECT used.tag, l.value AS level FROM used, json_each('[0,1,2,3]') l
       WHERE EXISTS (SELECT 1 FROM jobs j INDEXED BY jobs_ready
         WHERE j.status = 'queued' AND j.ready = 1 AND j.blocked = 0
           AND j.tag = used.tag AND j.min_level = l.value AND j.ws = ${ws})
       ORDER BY used.tag, l.value`,
  )
  return rows.map((row) => ({ ws, tag: asText(row.tag), levelRank: asNumber(row.level) }))
}

export type ReadyJob = Readonly<{ id: string; app: string; action: string }>

/** Lists the jobs of one place, in the order in which they would be claimed. */
export const listReadyJobs = async (
  db: Reader,
  { ws, tag, levelRank }: ReadyPlace,
  limit: number,
): Promise<readonly ReadyJob[]> => {
  const rows = await db.all(
    sql`SELECT id, app, action FROM jobs INDEXED BY jobs_ready
       WHERE status = 'queued' AND ready = 1 AND blocked = 0 AND tag = ${tag} AND min_level = ${levelRank} AND ws = ${ws}
       ORDER BY priority DESC, run_at, id LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    id: asText(row.id),
    app: asText(row.app),
    action: asText(row.action),
  }))
}

/** Makes a queued job due at once, under `tag` if it is not null. */
export const requeueJob = ({
  ws,
  id,
  tag,
}: Readonly<{ ws: string; id: string; tag: string | null }>): Statement =>
  sql`UPDATE jobs SET tag = COALESCE(${tag}, tag), ready = 1, blocked = 0, run_at = MIN(run_at, ${SQL_NOW})
     WHERE ws = ${ws} AND id = ${id} AND status = 'queued'`
