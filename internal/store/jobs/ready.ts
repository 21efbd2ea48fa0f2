/** Ready jobs by what they require of a worker: tag and isolation level. */
import type { Reader, Statement } from '../database.ts'
import { number, type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const readyPlace = row({ tag: text, levelRank: number })

export type ReadyPlace = RowOf<typeof readyPlace> & Readonly<{ ws: string }>

/** Lists the tags and levels under which a workspace has ready jobs. Each needs one probe, regardless of how many jobs wait. */
export const listReadyPlaces = async (
  db: Reader,
  { ws, limit }: Readonly<{ ws: string; limit: number }>,
): Promise<readonly ReadyPlace[]> => {
  const places = await readyPlace.all(
    db,
    sql`WITH used (tag) AS (
         SELECT DISTINCT tag FROM queue_counts WHERE ws = ${ws} AND ready = 1 AND n > 0 ORDER BY tag LIMIT ${limit})
       SELECT used.tag, l.value AS level_rank FROM used, json_each('[0,1,2,3]') l
       WHERE EXISTS (SELECT 1 FROM jobs j INDEXED BY jobs_ready
         WHERE j.status = 'queued' AND j.ready = 1 AND j.blocked = 0
           AND j.tag = used.tag AND j.min_level = l.value AND j.ws = ${ws})
       ORDER BY used.tag, l.value`,
  )
  return places.map((place) => ({ ws, ...place }))
}

const readyJob = row({ id: text, app: text, action: text })

export type ReadyJob = RowOf<typeof readyJob>

/** Lists the jobs of one place, in the order in which they would be claimed. */
export const listReadyJobs = (
  db: Reader,
  { ws, tag, levelRank }: ReadyPlace,
  limit: number,
): Promise<readonly ReadyJob[]> =>
  readyJob.all(
    db,
    sql`SELECT id, app, action FROM jobs INDEXED BY jobs_ready
       WHERE status = 'queued' AND ready = 1 AND blocked = 0 AND tag = ${tag} AND min_level = ${levelRank} AND ws = ${ws}
       ORDER BY priority DESC, run_at, id LIMIT ${limit}`,
  )

/** At most as many jobs as the highest `limit` of a rate are counted. */
const MAX_COUNTED = 10_000

/**
 * A condition on a job with a later place in a rate: starts within the window and due jobs that the same workers may claim take
 * all places until then. A claim would give the job another place, which may be that of another job.
 */
const isBehindFullRate = (tag: Statement): Statement =>
  sql`(paced = 1 AND run_at > ${SQL_NOW} AND rate_limit <=
    (SELECT count(*) FROM rate_starts s WHERE s.key = jobs.rate_key AND abs(s.at - ${SQL_NOW}) < jobs.rate_ms)
    + (SELECT count(*) FROM (SELECT 1 FROM jobs q INDEXED BY jobs_paced
      WHERE q.rate_key = jobs.rate_key AND q.status = 'queued' AND q.paced = 1 AND q.run_at <= ${SQL_NOW}
        AND q.tag = ${tag} AND q.min_level = jobs.min_level LIMIT ${MAX_COUNTED})))`

/**
 * Makes a queued job due at once, under `tag` if it is not null. A job that waits for its rate keeps its place while the rate is
 * full [jobs 7.5].
 */
export const requeueJob = ({
  ws,
  id,
  tag,
}: Readonly<{ ws: string; id: string; tag: string | null }>): Statement => {
  const newTag = sql`COALESCE(${tag}, jobs.tag)`
  const keepsPlace = isBehindFullRate(newTag)
  return sql`UPDATE jobs SET tag = ${newTag}, blocked = 0, ready = CASE WHEN ${keepsPlace} THEN ready ELSE 1 END,
      run_at = CASE WHEN ${keepsPlace} THEN run_at ELSE MIN(run_at, ${SQL_NOW}) END
     WHERE ws = ${ws} AND id = ${id} AND status = 'queued'`
}
