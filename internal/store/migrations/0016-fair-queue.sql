-- Claims go round robin by workspace, and a job whose concurrency key is full stands in nobody's way.

-- How many jobs of the workspace may run at once: NULL is the instance's limit, 0 none.
ALTER TABLE workspaces ADD COLUMN max_running INTEGER CHECK (max_running >= 0);

-- 1: a claim found the job's concurrency key full. It leaves the index that claims read, until a job of the key makes
-- room (the trigger below).
ALTER TABLE jobs ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1));

DROP INDEX jobs_ready;
DROP INDEX jobs_ready_keyed;
DROP INDEX jobs_running_keyed;
-- A claim seeks one workspace after the other under its tags and levels; what waits under others costs it nothing.
CREATE INDEX jobs_ready ON jobs (tag, min_level, ws, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND blocked = 0;
CREATE INDEX jobs_blocked ON jobs (concurrency_key, tag, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND blocked = 1;
CREATE INDEX jobs_running ON jobs (ws, concurrency_key) WHERE status = 'running';

-- A job that stops running, or that leaves the queue without having run, makes room for the first blocked jobs of its
-- key: as many as may run now, under each tag, since nobody may serve the tag of the very first. A claim judges them
-- again, so one too many does no harm.
CREATE TRIGGER jobs_unblock AFTER UPDATE OF status, ready, tag ON jobs
WHEN OLD.concurrency_key IS NOT NULL AND NEW.blocked = 0 AND NEW.status <> 'running' AND (
  OLD.status = 'running'
  OR (OLD.status = 'queued' AND OLD.ready = 1 AND OLD.blocked = 0
    AND (NEW.status <> 'queued' OR NEW.ready = 0 OR NEW.tag <> OLD.tag)))
BEGIN
  UPDATE jobs SET blocked = 0 WHERE ws = OLD.ws AND id IN (
    WITH RECURSIVE tags (tag) AS (
      SELECT min(tag) FROM jobs
      WHERE concurrency_key = OLD.concurrency_key AND status = 'queued' AND ready = 1 AND blocked = 1
      UNION ALL
      SELECT (SELECT min(j.tag) FROM jobs j
        WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1
          AND j.tag > tags.tag)
      FROM tags WHERE tags.tag IS NOT NULL
    )
    SELECT h.id FROM tags CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (
      SELECT j.id FROM jobs j
      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1
        AND j.tag = tags.tag
      ORDER BY j.priority DESC, j.run_at, j.id
      LIMIT max(1, OLD.concurrency_limit - (
        SELECT count(*) FROM jobs r
        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))
  );
END;
