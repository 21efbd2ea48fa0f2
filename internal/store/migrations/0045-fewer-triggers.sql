-- contraction, serves 40
-- Each trigger that an UPDATE of jobs may fire costs time for every row, also where its WHEN is false. So there is one for each
-- occasion, on a column that only this occasion writes: a claim writes started_at, an end completed_at.
DROP TRIGGER jobs_terminal_is_final;
DROP TRIGGER queue_counts_insert;
DROP TRIGGER queue_counts_insert_suspended;
DROP TRIGGER queue_counts_leave;
DROP TRIGGER queue_counts_enter;
DROP TRIGGER jobs_rate_start;
DROP TRIGGER jobs_fair_start;
DROP TRIGGER jobs_rate_leave;
DROP TRIGGER jobs_call_ended;
DROP TRIGGER jobs_waits_ended;
DROP TRIGGER notify_job_failed;

-- a BEFORE trigger would make SQLite look up every row again
CREATE TRIGGER jobs_terminal_is_final AFTER UPDATE ON jobs WHEN OLD.completed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a finished job never changes');
END;

-- ready is 2 for a job that is suspended
CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app,
    CASE WHEN NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL THEN 2 ELSE NEW.ready END, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER queue_counts_move AFTER UPDATE OF status, ready, tag ON jobs
WHEN (OLD.status = 'queued' OR NEW.status = 'queued')
  AND (NEW.status <> OLD.status OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)
BEGIN
  UPDATE queue_counts SET n = n - 1
  WHERE OLD.status = 'queued' AND ws = OLD.ws AND tag = OLD.tag AND app = OLD.app
    AND ready = CASE WHEN OLD.ready = 0 AND OLD.suspended_kind IS NOT NULL THEN 2 ELSE OLD.ready END;
  INSERT INTO queue_counts (ws, tag, app, ready, n)
  SELECT NEW.ws, NEW.tag, NEW.app,
    CASE WHEN NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL THEN 2 ELSE NEW.ready END, 1
  WHERE NEW.status = 'queued'
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

-- A start under a rate is noted, and the first job that waits for its place moves up; a start of a fairKey passes the turn on.
CREATE TRIGGER jobs_start AFTER UPDATE OF started_at ON jobs
WHEN NEW.status = 'running' AND OLD.status = 'queued' AND (NEW.rate_key IS NOT NULL OR NEW.fair_group IS NOT NULL)
BEGIN
  INSERT INTO fair_turns (fair_group, turn) SELECT NEW.fair_group, NEW.fair_turn WHERE NEW.fair_group IS NOT NULL
  ON CONFLICT DO UPDATE SET turn = max(turn, excluded.turn);
  INSERT INTO rate_starts (key, seq, at)
  SELECT NEW.rate_key, COALESCE((SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key), 0) + 1, NEW.started_at
  WHERE NEW.rate_key IS NOT NULL AND OLD.suspended_kind IS NULL
  ON CONFLICT DO NOTHING;
  DELETE FROM rate_starts WHERE OLD.suspended_kind IS NULL AND key = NEW.rate_key
    AND seq <= (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) - NEW.rate_limit;
  UPDATE jobs SET run_at = next.allowed
  FROM (SELECT COALESCE((SELECT at + NEW.rate_ms FROM rate_starts WHERE key = NEW.rate_key
      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) + 1 - NEW.rate_limit), NEW.started_at) AS allowed,
    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next
      WHERE w.rate_key = NEW.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1
      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next
  WHERE NEW.rate_key IS NOT NULL AND OLD.suspended_kind IS NULL
    AND jobs.ws = NEW.ws AND jobs.id = next.id AND jobs.run_at > next.allowed
    AND NOT EXISTS (SELECT 1 FROM jobs q INDEXED BY jobs_paced
      WHERE q.rate_key = NEW.rate_key AND q.status = 'queued' AND q.paced = 1 AND q.ready = 1
        AND q.run_at <= NEW.started_at);
END;

-- An end answers the job that called this one, ends its waits for events, notifies of a failure, and gives up a place in a rate.
CREATE TRIGGER jobs_end AFTER UPDATE OF completed_at ON jobs
WHEN NEW.completed_at IS NOT NULL
  AND (NEW.status = 'failure' OR NEW.called_by IS NOT NULL OR NEW.began_at IS NOT NULL OR OLD.paced = 1)
BEGIN
  UPDATE job_steps SET status = CASE NEW.status WHEN 'success' THEN 'success' ELSE 'failure' END,
    completed_at = NEW.completed_at,
    caught = CASE NEW.status WHEN 'success' THEN 0 ELSE 2 END,
    result = CASE NEW.status WHEN 'success' THEN NEW.result END,
    error = CASE NEW.status WHEN 'success' THEN NULL ELSE NEW.result END
  WHERE job_id = NEW.called_by AND name = NEW.called_step AND child_id = NEW.id AND status = 'running';
  UPDATE jobs SET ready = 1, blocked = 0, run_at = NEW.completed_at
  WHERE ws = NEW.ws AND id = NEW.called_by AND status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL;
  UPDATE event_waits SET status = 'canceled', ended_at = NEW.completed_at
  WHERE NEW.began_at IS NOT NULL AND owner_id = NEW.id AND status = 'open';
  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
  SELECT w.id, 'job_failed:' || NEW.id || ':' || rule.key, 'job_failed', NEW.id, rule.value ->> '$.to',
    NEW.completed_at, NEW.completed_at
  FROM workspaces w, json_each(w.notify) rule
  WHERE NEW.status = 'failure' AND NEW.flow_run_id IS NULL AND w.id = NEW.ws
    AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'job_failed')
  ON CONFLICT DO NOTHING;
  UPDATE jobs SET run_at = next.allowed
  FROM (SELECT COALESCE((SELECT at + OLD.rate_ms FROM rate_starts WHERE key = OLD.rate_key
      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = OLD.rate_key) + 1 - OLD.rate_limit), OLD.created_at) AS allowed,
    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next
      WHERE w.rate_key = OLD.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1
      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next
  WHERE OLD.paced = 1 AND OLD.status = 'queued'
    AND jobs.ws = OLD.ws AND jobs.id = next.id AND jobs.run_at > next.allowed;
END;
