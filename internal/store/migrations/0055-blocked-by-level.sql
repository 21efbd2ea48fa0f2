-- contraction, serves 41
-- A full concurrency key that becomes free restores the first blocked jobs of each tag and level. Restored by tag alone, a job of
-- a level that no worker reaches kept those of lower levels blocked.
DROP TRIGGER jobs_unblock;
DROP INDEX jobs_blocked;

CREATE INDEX jobs_blocked ON jobs (concurrency_key, tag, min_level, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND blocked = 1;

CREATE TRIGGER jobs_unblock AFTER UPDATE OF status, ready, tag ON jobs
WHEN OLD.concurrency_key IS NOT NULL AND NEW.blocked = 0 AND NEW.status <> 'running' AND (
  OLD.status = 'running'
  OR (OLD.status = 'queued' AND OLD.ready = 1 AND OLD.blocked = 0
    AND (NEW.status <> 'queued' OR NEW.ready = 0 OR NEW.tag <> OLD.tag)))
BEGIN
  UPDATE jobs SET blocked = 0 WHERE ws = OLD.ws AND id IN (
    -- one probe for each tag and level with blocked jobs
    WITH RECURSIVE tags (tag) AS (
      SELECT min(tag) FROM jobs
      WHERE concurrency_key = OLD.concurrency_key AND status = 'queued' AND ready = 1 AND blocked = 1
      UNION ALL
      SELECT (SELECT min(j.tag) FROM jobs j
        WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1
          AND j.tag > tags.tag)
      FROM tags WHERE tags.tag IS NOT NULL
    )
    SELECT h.id FROM tags CROSS JOIN json_each('[0,1,2,3]') level CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (
      SELECT j.id FROM jobs j
      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1
        AND j.tag = tags.tag AND j.min_level = level.value
      ORDER BY j.priority DESC, j.run_at, j.id
      LIMIT max(1, OLD.concurrency_limit - (
        SELECT count(*) FROM jobs r
        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))
  );
END;

-- The scheduler starts what events wait to start by workspace, so that a workspace without room delays no other.
CREATE INDEX event_starts_waiting ON event_starts (ws, at) WHERE status = 'pending';

-- jobs that older versions blocked although nothing of their key ran: as many as the trigger restores, because claims would block
-- the others again, one after another
UPDATE jobs SET blocked = 0 WHERE (ws, id) IN (
  SELECT ws, id FROM (
    SELECT ws, id, concurrency_limit, row_number() OVER (
      PARTITION BY concurrency_key, tag, min_level ORDER BY priority DESC, run_at, id) AS nth
    FROM jobs INDEXED BY jobs_blocked
    WHERE status = 'queued' AND ready = 1 AND blocked = 1 AND NOT EXISTS (
      SELECT 1 FROM jobs r
      WHERE r.status = 'running' AND r.ws = jobs.ws AND r.concurrency_key = jobs.concurrency_key))
  WHERE nth <= concurrency_limit);
-- delayed retries and suspended jobs that older versions left at a place in their rate; the fence of a move refuses such updates
UPDATE jobs INDEXED BY jobs_paced_next SET paced = 0 WHERE status = 'queued' AND ready = 0 AND paced = 1
  AND (suspended_kind IS NOT NULL OR failure_count > 0) AND ws NOT IN (SELECT ws FROM held_workspaces);
