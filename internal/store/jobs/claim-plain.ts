/**
 * The short cut of the claim: for a queue in which a single workspace has ready work and none of the jobs whose turn it is has
 * a concurrency key, a rate or a fairKey. Nothing but their order counts then, so it costs half of the claim, and of a lone
 * job a third. Of anything else it claims nothing and leaves all to the claim, which comes behind it in the same batch.
 */
import { raw, sql } from '../sql.ts'
import {
  CLAIMED,
  CLAIMED_COLUMNS,
  isReady,
  LEVEL_RANK,
  LIMIT,
  roomOf,
  served,
  TAGS,
} from './claim-parts.ts'
import { transition } from './transition.ts'

/** The first or last workspace that has ready work under a tag and level of `served`: an index probe. */
const endOfQueue = (direction: '' | 'DESC'): string =>
  `(SELECT n.ws FROM jobs n INDEXED BY jobs_ready WHERE ${isReady('n')} ORDER BY n.ws ${direction} LIMIT 1)`

/** The workspace and how many jobs it may start; no row where several have work, or where one has a list of tags. */
const LONE = `place (first_ws, last_ws) AS MATERIALIZED (SELECT ${endOfQueue('')}, ${endOfQueue('DESC')} FROM served),
  lone (ws, room) AS MATERIALIZED (
    SELECT alone.id, MAX(MIN(${roomOf('alone.id')}, ${LIMIT}), 0)
    FROM (SELECT min(first_ws) AS first_ws, max(last_ws) AS last_ws FROM place) ends
    CROSS JOIN workspaces alone WHERE first_ws = last_ws AND alone.id = first_ws AND alone.allowed_tags IS NULL)`

/** The jobs whose turn it is. CROSS JOIN keeps the planner from reading the whole queue. */
const HEAD = `head (at_ws, at_id, is_plain) AS MATERIALIZED (
    SELECT j.ws, j.id, j.concurrency_key IS NULL AND j.rate_key IS NULL AND j.fair_group IS NULL
    FROM lone CROSS JOIN served CROSS JOIN jobs j ON j.ws = lone.ws AND j.id IN (
      SELECT h.id FROM jobs h INDEXED BY jobs_ready WHERE ${isReady('h')} AND h.ws = lone.ws
      ORDER BY h.priority DESC, h.run_at, h.id LIMIT ${LIMIT})
    ORDER BY j.priority DESC, j.run_at, j.id LIMIT COALESCE((SELECT room FROM lone), 0))`

/** Its parameters are those of the claim. */
export const CLAIM_PLAIN = transition('claim', {
  set: CLAIMED,
  with: sql`${served(raw(TAGS), raw(LEVEL_RANK))}, ${raw(LONE)}, ${raw(HEAD)}`,
  where: raw(`(jobs.ws, jobs.id) IN (
    SELECT at_ws, at_id FROM head WHERE (SELECT min(is_plain) FROM head))`),
  returning: raw(CLAIMED_COLUMNS),
}).sql
