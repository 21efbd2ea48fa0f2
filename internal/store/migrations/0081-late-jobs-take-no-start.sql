-- contraction, serves 41
-- A job that is claimed too late does not run (0077), so it is no start under its rate. It still leaves its place to the next job.
DROP TRIGGER jobs_start;
CREATE TRIGGER jobs_start AFTER UPDATE OF started_at ON jobs
WHEN NEW.status = 'running' AND OLD.status = 'queued' AND (NEW.rate_key IS NOT NULL OR NEW.fair_group IS NOT NULL)
BEGIN
  INSERT INTO fair_turns (fair_group, turn) SELECT NEW.fair_group, NEW.fair_turn WHERE NEW.fair_group IS NOT NULL
  ON CONFLICT DO UPDATE SET turn = max(turn, excluded.turn);
  INSERT INTO rate_starts (key, seq, at)
  SELECT NEW.rate_key, COALESCE((SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key), 0) + 1, NEW.started_at
  WHERE NEW.rate_key IS NOT NULL AND OLD.suspended_kind IS NULL AND NEW.cancel_by IS NULL
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
