/**
 * Which jobs a claim examines, and which of them it takes: SQL that `claim.ts` puts into its statement. It has the numbered
 * parameters of claim-parts.ts.
 */
import { SQL_NOW } from '../sql.ts'
import { AFTER_WS, IS_CLAIMED_LATE, isReady, LIMIT, roomOf, WORKSPACES } from './claim-parts.ts'

/** The first workspace after `ws` with ready work; null if there is none. */
export const nextOfAll = (ws: string): string =>
  `(SELECT min((SELECT n.ws FROM jobs n INDEXED BY jobs_ready
      WHERE ${isReady('n')} AND n.ws > ${ws} ORDER BY n.ws LIMIT 1)) FROM served)`

/** The same, among the workspaces of the request. */
export const nextOfNamed = (ws: string): string =>
  `(SELECT min(named.value) FROM json_each(${WORKSPACES}) named WHERE named.value > ${ws}
     AND EXISTS (SELECT 1 FROM served CROSS JOIN jobs n INDEXED BY jobs_ready
       WHERE ${isReady('n')} AND n.ws = named.value))`

/** Whether jobs of `ws` may have the tag of `served` (workspaces.allowed_tags). */
const isAllowed = (ws: string): string =>
  `(SELECT w.allowed_tags IS NULL
      OR EXISTS (SELECT 1 FROM json_each(w.allowed_tags) allowed WHERE allowed.value = served.tag)
    FROM workspaces w WHERE w.id = ${ws})`

/**
 * Whether `ws` has ready work under a tag that it may use. Its tags may have been limited after jobs were queued. CASE limits
 * workspaces without a list to one look-up, and CROSS JOIN keeps the planner from reading the whole queue.
 */
const hasAllowedWork = (ws: string): string =>
  `CASE (SELECT w.allowed_tags IS NULL FROM workspaces w WHERE w.id = ${ws}) WHEN 1 THEN 1
    ELSE EXISTS (SELECT 1 FROM served CROSS JOIN jobs n INDEXED BY jobs_ready
      WHERE ${isAllowed(ws)} AND ${isReady('n')} AND n.ws = ${ws}) END`

/** Whether `ws` has running jobs with concurrency keys. Then some of its ready jobs may turn out to be blocked. */
const hasKeys = (ws: string): string =>
  `EXISTS (SELECT 1 FROM jobs r INDEXED BY jobs_running
    WHERE r.status = 'running' AND r.ws = ${ws} AND r.concurrency_key > '')`

/** Whether serving `ws` surely yields a job. */
const isServed = (ws: string): string =>
  `(${roomOf(ws)} > 0 AND NOT ${hasKeys(ws)} AND ${hasAllowedWork(ws)})`

/**
 * How many jobs of each workspace a claim examines: for a single workspace as many as it takes, for several twice their share,
 * since some have fewer. If keys may be full, it examines some more, so that blocked jobs leave the index soon.
 */
const DEPTH = `(SELECT CASE count(*) WHEN 0 THEN 0 WHEN 1 THEN ${LIMIT} ELSE 2 * ${LIMIT} / count(*) + 1 END
    + CASE WHEN max(has_keys) = 1 THEN 16 / count(*) + 1 ELSE 0 END FROM in_turn)`

/**
 * The workspaces to serve, in turn: those after the last one served (`pass` 0), then from the first on (1). It leaves out
 * workspaces at their limit, and those whose ready jobs all have tags that they may no longer use. It includes workspaces with running keyed
 * jobs, but does not count them, because they may have only blocked jobs. Both the workspaces at their limit and those with
 * keyed jobs are at most as many as running jobs.
 */
export const workspacesInTurn = (
  nextWorkspace: (ws: string) => string,
): string => `ahead (ws, found) AS (
    SELECT ${nextWorkspace(AFTER_WS)}, 0
    UNION ALL
    SELECT ${nextWorkspace('ahead.ws')}, found + ${isServed('ahead.ws')}
    FROM ahead WHERE ahead.ws IS NOT NULL AND found < ${LIMIT}
  ),
  behind (ws, found) AS (
    SELECT ${nextWorkspace("''")}, most FROM (SELECT max(found) AS most FROM ahead) WHERE most < ${LIMIT}
    UNION ALL
    SELECT ${nextWorkspace('behind.ws')}, found + ${isServed('behind.ws')}
    FROM behind WHERE behind.ws <= ${AFTER_WS} AND found < ${LIMIT}
  ),
  in_turn (pass, ws, room, has_keys) AS MATERIALIZED (
    SELECT pass, ws, ${roomOf('turn.ws')}, ${hasKeys('turn.ws')}
    FROM (
      SELECT 0 AS pass, ws, found FROM ahead
      UNION ALL SELECT 1, ws, found FROM behind WHERE ws <= ${AFTER_WS}
    ) turn WHERE ws IS NOT NULL AND found < ${LIMIT} AND ${roomOf('turn.ws')} > 0
      AND ${hasAllowedWork('turn.ws')}
  )`

/** The order of jobs in a workspace. */
const IN_ORDER = 'priority DESC, run_at, id'

/** A job that continues, or is late and so does not run, takes no start of its rate. */
const OF_CANDIDATE = `j.concurrency_key AS k, j.concurrency_limit AS most,
    CASE WHEN j.suspended_kind IS NULL AND NOT ${IS_CLAIMED_LATE.sql} THEN j.rate_key END AS r, j.rate_limit AS r_most, j.rate_ms AS r_ms, j.paced`

/**
 * The first jobs of each workspace. If they belong to an action with a fairKey, the jobs whose turn it is replace them: the
 * same number, with the same priorities.
 */
const HEAD = `head AS MATERIALIZED (
    SELECT in_turn.pass, in_turn.room, j.ws, j.id, j.priority, j.run_at, j.tag, j.min_level, j.fair_group, ${OF_CANDIDATE}
    FROM in_turn CROSS JOIN served CROSS JOIN jobs j ON ${isAllowed('in_turn.ws')} AND j.ws = in_turn.ws AND j.id IN (
      SELECT h.id FROM jobs h INDEXED BY jobs_ready WHERE ${isReady('h')} AND h.ws = in_turn.ws
      ORDER BY h.priority DESC, h.run_at, h.id LIMIT ${DEPTH})
  ),
  fair_place AS MATERIALIZED (
    SELECT pass, room, ws, priority, run_at, tag, min_level, fair_group, row_number() OVER (
      PARTITION BY fair_group, tag, min_level ORDER BY ${IN_ORDER}) AS nth
    FROM head WHERE fair_group IS NOT NULL
  ),
  fair_choice AS MATERIALIZED (
    SELECT f.fair_group, f.tag, f.min_level, j.id, ${OF_CANDIDATE}, row_number() OVER (
      PARTITION BY f.fair_group, f.tag, f.min_level ORDER BY j.priority DESC, j.fair_turn, j.run_at, j.id) AS nth
    FROM (SELECT DISTINCT fair_group, tag, min_level, ws FROM fair_place) f
    CROSS JOIN jobs j ON j.ws = f.ws AND j.id IN (
      SELECT h.id FROM jobs h INDEXED BY jobs_fair
      WHERE h.fair_group = f.fair_group AND h.tag = f.tag AND h.min_level = f.min_level
        AND h.status = 'queued' AND h.ready = 1 AND h.blocked = 0
      ORDER BY h.priority DESC, h.fair_turn, h.run_at, h.id LIMIT (SELECT count(*) FROM fair_place))
  ),
  candidate AS MATERIALIZED (
    SELECT pass, room, ws, id, priority, run_at, tag, min_level, k, most, r, r_most, r_ms, paced
    FROM head WHERE fair_group IS NULL
    UNION ALL
    SELECT p.pass, p.room, p.ws, c.id, p.priority, p.run_at, p.tag, p.min_level, c.k, c.most, c.r, c.r_most, c.r_ms, c.paced
    FROM fair_place p JOIN fair_choice c
      ON c.fair_group = p.fair_group AND c.tag = p.tag AND c.min_level = p.min_level AND c.nth = p.nth
  )`

/** Time of the start `limit` places before the n-th next one; null if there is none or it is beyond now plus the window. */
const startAt = (n: string): string =>
  `(SELECT s.at FROM rate_starts s WHERE s.key = r AND s.seq = last + ${n} - r_most AND s.at <= ${SQL_NOW.sql} + r_ms)`

/** How many jobs with a candidate's key run. A key begins with its workspace. */
const RUNNING_OF_KEY = `(SELECT count(*) FROM jobs b INDEXED BY jobs_running
      WHERE b.status = 'running' AND b.ws = c.ws AND b.concurrency_key = c.k)`

/** The last place of a queued job with the rate's key, in milliseconds since 1970; 0 if there is none. */
const LAST_PLACE = `COALESCE((SELECT max(q.run_at) FROM jobs q INDEXED BY jobs_paced
      WHERE q.rate_key = r AND q.status = 'queued' AND q.paced = 1), 0)`

/** A place is near if it is at most this many starts away. So many jobs may come due together and get new places again. */
const NEAR_PLACES = 50

/**
 * Decides which candidates may run. For a concurrency key, each candidate counts the ones before it as running. For a rate
 * key, the n-th candidate may start once the start `limit` places before it has left the window. Otherwise it gets a new place:
 * the first free one, or the last one if the free one is no longer near its previous place. Starts are later
 * than planned by some milliseconds, so it takes the free one at its planned time, before the jobs behind it.
 *
 * Each table is read only by the next one, because SQLite copies a table into every place that reads it. With six in a row
 * that were each read twice, preparing the statement took 130 ms, and sqld prepares it for every claim. `takes` is 0 for a job
 * whose key is full, 1 for one that may start, and 2 for one that gets a new place. A job is blocked if its key is full after
 * this claim. Behind jobs that do not start now, it would wait for an end that may never come, so of each tag and level as many
 * jobs remain as may run. When one of them leaves, the trigger `jobs_unblock` restores the next.
 */
export const CANDIDATES = `${HEAD},
  keyed AS MATERIALIZED (
    SELECT c.*, CASE WHEN c.k IS NOT NULL AND of_key = 1 THEN ${RUNNING_OF_KEY} END AS first_running
    FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY ${IN_ORDER}) AS of_key FROM candidate) c
  ),
  judged AS MATERIALIZED (
    SELECT *, k IS NULL OR most > running + COALESCE(sum(most > running) OVER (
      PARTITION BY k ORDER BY ${IN_ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS is_open
    FROM (SELECT *, max(first_running) OVER (PARTITION BY k) AS running FROM keyed)
  ),
  counted AS MATERIALIZED (
    SELECT *, CASE WHEN r IS NOT NULL AND is_open
        THEN (SELECT COALESCE(max(s.seq), 0) FROM rate_starts s WHERE s.key = r) END AS last,
      row_number() OVER (PARTITION BY r, is_open ORDER BY ${IN_ORDER}) AS nth
    FROM judged
  ),
  placed AS MATERIALIZED (
    SELECT *, CASE WHEN last IS NULL THEN 0
      WHEN nth <= r_most THEN COALESCE(${startAt('nth')} + r_ms, 0)
      ELSE MAX(COALESCE(${startAt('1 + (nth - 1) % r_most')} + r_ms, 0), ${SQL_NOW.sql})
        + r_ms * ((nth - 1) / r_most) END AS place
    FROM counted
  ),
  settled AS MATERIALIZED (
    SELECT *, CASE WHEN NOT is_open THEN 0 WHEN place <= ${SQL_NOW.sql} THEN 1 ELSE 2 END AS takes FROM placed
  ),
  seated AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY takes, ws ORDER BY ${IN_ORDER}) AS seat FROM settled
  ),
  taken AS MATERIALIZED (
    SELECT *, takes = 1 AND seat <= room AND turn <= ${LIMIT} AS starts
    FROM (SELECT *, row_number() OVER (PARTITION BY takes, seat <= room ORDER BY seat, pass, ws) AS turn FROM seated)
  ),
  decided (at_ws, at_id, takes, at_run) AS MATERIALIZED (
    SELECT ws, id, takes, CASE WHEN takes <> 2 THEN 0
      WHEN paced = 1 AND place <= run_at + r_ms * MAX(2, ${NEAR_PLACES} / r_most)
        THEN CASE WHEN run_at + r_ms > ${SQL_NOW.sql} THEN MIN(place, run_at + r_ms) ELSE place END
      ELSE MAX(place, ${LAST_PLACE} + r_ms * nth / r_most) END
    FROM (SELECT *, sum(starts) OVER (PARTITION BY k) AS key_starts,
      row_number() OVER (PARTITION BY k, tag, min_level, takes ORDER BY ${IN_ORDER}) AS behind FROM taken)
    WHERE CASE takes WHEN 0 THEN running + key_starts >= most OR behind > most WHEN 1 THEN starts ELSE 1 END
  )`
