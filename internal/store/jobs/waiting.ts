/** What a queued job waits for. Each part is an index probe. */

import type { QueuedFacts } from '#core/job/waiting-for.ts'
import { levelOfRank } from '#core/placement/placement.ts'
import type { Database } from '../database.ts'
import { bool, number, parsed, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const queuedRow = row({
  ws: text,
  tag: text,
  minLevel: number,
  // a due job becomes ready when a worker with a free slot asks for jobs
  ready: bool(sql`(ready = 1 OR run_at <= ${SQL_NOW})`),
  runAt: time,
  attempt: number,
  suspendedKind: text.nullable,
  suspendedName: text.nullable,
  paced: bool,
  rateLimit: number.nullable,
  rateMs: number.nullable,
  debounced: bool(sql`(debounce_key IS NOT NULL AND attempt = 0)`),
  concurrencyLimit: number.nullable,
  keyRunning:
    number(sql`CASE WHEN concurrency_key IS NULL THEN 0 ELSE (SELECT count(*) FROM jobs r INDEXED BY jobs_running
    WHERE r.status = 'running' AND r.ws = jobs.ws AND r.concurrency_key = jobs.concurrency_key) END`),
  wsRunning: number(sql`(SELECT count(*) FROM jobs r INDEXED BY jobs_running
    WHERE r.status = 'running' AND r.ws = jobs.ws)`),
  wsLimit: number.nullable(sql`(SELECT max_running FROM workspaces w WHERE w.id = jobs.ws)`),
  allowedTags: parsed((json): unknown => JSON.parse(json)).nullable(
    sql`(SELECT allowed_tags FROM workspaces w WHERE w.id = jobs.ws)`,
  ),
  isBehindTurns:
    bool(sql`CASE WHEN fair_group IS NULL THEN 0 ELSE EXISTS (SELECT 1 FROM jobs q INDEXED BY jobs_fair
    WHERE q.fair_group = jobs.fair_group AND q.tag = jobs.tag AND q.min_level = jobs.min_level AND q.status = 'queued'
      AND q.ready = 1 AND q.blocked = 0 AND q.priority = jobs.priority AND q.fair_turn < jobs.fair_turn) END`),
})

/** @param maxRunning of the instance. @returns null if the job is not queued */
export const findQueuedFacts = async (
  db: Database,
  { ws, id, maxRunning }: Readonly<{ ws: string; id: string; maxRunning: number }>,
): Promise<QueuedFacts | null> => {
  const found = await queuedRow.one(
    db,
    sql`SELECT ${queuedRow.columns()} FROM jobs WHERE ws = ${ws} AND id = ${id} AND status = 'queued'`,
  )
  if (found === null) return null
  const { suspendedKind, rateLimit, rateMs, concurrencyLimit, allowedTags } = found
  return {
    ws,
    tag: found.tag,
    minLevel: levelOfRank(found.minLevel),
    isReady: found.ready,
    runAt: found.runAt,
    attempt: found.attempt,
    suspended:
      suspendedKind === null ? null : { kind: suspendedKind, name: found.suspendedName ?? '' },
    isPaced: found.paced,
    rate: rateLimit === null ? null : { limit: rateLimit, windowMs: rateMs ?? 0 },
    isDebounced: found.debounced,
    concurrency:
      concurrencyLimit === null ? null : { limit: concurrencyLimit, running: found.keyRunning },
    workspaceRunning: found.wsRunning,
    workspaceLimit: found.wsLimit ?? maxRunning,
    allowedTags: Array.isArray(allowedTags) ? allowedTags.map(String) : null,
    isBehindTurns: found.isBehindTurns,
  }
}
