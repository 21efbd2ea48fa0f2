-- contraction, serves 41
-- A concurrency key that becomes free restores blocked jobs of an action with a fairKey in the order of their turns. Restored by
-- time, a tenant with many jobs kept all others waiting.
DROP TRIGGER jobs_unblock;

CREATE INDEX jobs_blocked_fair ON jobs (concurrency_key, fair_group, tag, min_level, priority DESC, fair_turn, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND blocked = 1 AND fair_group IS NOT NULL;

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
    -- the first by time says which action is next; of an action with a fairKey, the jobs whose turn it is take its place
    SELECT COALESCE(turn.id, h.id)
    FROM tags CROSS JOIN json_each('[0,1,2,3]') level CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (
      SELECT j.id FROM jobs j
      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1
        AND j.tag = tags.tag AND j.min_level = level.value
      ORDER BY j.priority DESC, j.run_at, j.id
      LIMIT max(1, OLD.concurrency_limit - (
        SELECT count(*) FROM jobs r
        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))
    LEFT JOIN jobs turn ON turn.ws = OLD.ws AND turn.id IN (
      SELECT f.id FROM jobs f INDEXED BY jobs_blocked_fair
      WHERE f.concurrency_key = OLD.concurrency_key AND f.fair_group = h.fair_group AND f.tag = tags.tag
        AND f.min_level = level.value AND f.status = 'queued' AND f.ready = 1 AND f.blocked = 1
      ORDER BY f.priority DESC, f.fair_turn, f.run_at, f.id
      LIMIT max(1, OLD.concurrency_limit - (
        SELECT count(*) FROM jobs r
        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))
  );
END;
