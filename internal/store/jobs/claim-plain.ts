/**
 * A fast path of the claim, for a queue in which only one workspace has ready work, under one tag and level of the worker, no
 * delayed job is due, and none of the next jobs has a concurrency key, a rate or a fairKey. Then only their order counts, which
 * is that of the index, so it costs half as much as the claim, and a third for a single job. In all other cases it claims
 * nothing and leaves everything to the claim.
 */
import { raw, SQL_NOW, sql } from '../sql.ts'
import {
  CLAIMED,
  CLAIMED_COLUMNS,
  isReadyIn,
  LEVEL_RANK,
  LIMIT,
  roomOf,
  TAGS,
} from './claim-parts.ts'
import { transition } from './transition.ts'

/** The first or last workspace with ready work under a tag and level. It is one index probe. */
const endOfQueue = (direction: '' | 'DESC'): string =>
  `(SELECT n.ws FROM jobs n INDEXED BY jobs_ready
    WHERE ${isReadyIn('n', { tag: 't.value', level: 'l.value' })} ORDER BY n.ws ${direction} LIMIT 1)`

/**
 * The workspace, tag and level of all ready work, and how many of its jobs may start. There is no row if the ready work has
 * several places or the workspace has a list of tags. The statement has no other table expression, because SQLite needs 30,000
 * instructions for each, a third of the cost of a row. LIMIT -1 prevents SQLite from copying the probes into every place that
 * reads them.
 */
const LONE = `lone (ws, tag, level, room) AS MATERIALIZED (
    SELECT alone.id, ends.tag, ends.level, MAX(MIN(${roomOf('alone.id')}, ${LIMIT}), 0)
    FROM (
      SELECT tag, level, min(first_ws) AS first_ws, max(last_ws) AS last_ws, count(*) AS places FROM (
        SELECT t.value AS tag, l.value AS level, ${endOfQueue('')} AS first_ws, ${endOfQueue('DESC')} AS last_ws
        FROM json_each(${TAGS}) t, json_each('[0,1,2,3]') l WHERE l.value <= ${LEVEL_RANK} LIMIT -1)
      WHERE first_ws IS NOT NULL) ends
    CROSS JOIN workspaces alone
    WHERE places = 1 AND first_ws = last_ws AND alone.id = first_ws AND alone.allowed_tags IS NULL
      AND NOT EXISTS (SELECT 1 FROM jobs d INDEXED BY jobs_delayed
        WHERE d.status = 'queued' AND d.ready = 0 AND d.run_at <= ${SQL_NOW.sql}))`

/** The next jobs, in the order of the index. */
const head = (columns: string): string =>
  `SELECT ${columns} FROM jobs n INDEXED BY jobs_ready
    WHERE ${isReadyIn('n', { tag: '(SELECT tag FROM lone)', level: '(SELECT level FROM lone)' })}
      AND n.ws = (SELECT ws FROM lone)
    ORDER BY n.priority DESC, n.run_at, n.id LIMIT COALESCE((SELECT room FROM lone), 0)`

/** The fast path. It has the same parameters as the claim. */
export const CLAIM_PLAIN = transition('claim', {
  set: CLAIMED,
  with: raw(LONE),
  where: sql`jobs.ws = (SELECT ws FROM lone) AND jobs.id IN (${raw(head('n.id'))})
    AND NOT EXISTS (SELECT 1 FROM (${raw(head('n.concurrency_key, n.rate_key, n.fair_group'))})
      WHERE concurrency_key IS NOT NULL OR rate_key IS NOT NULL OR fair_group IS NOT NULL)`,
  returning: raw(CLAIMED_COLUMNS),
}).sql
