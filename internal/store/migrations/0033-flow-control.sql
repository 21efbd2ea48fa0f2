-- Rate, debounce and fair turns of an action's jobs. Jobs of actions without them leave all these columns empty, and stand
-- in none of these indexes.

ALTER TABLE jobs ADD COLUMN rate_key TEXT;
-- at most so many starts of the key in any window of so many milliseconds
ALTER TABLE jobs ADD COLUMN rate_limit INTEGER;
ALTER TABLE jobs ADD COLUMN rate_ms INTEGER;
-- 1: run_at is the place that the rate gives the job, not a time that a caller chose
ALTER TABLE jobs ADD COLUMN paced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN debounce_key TEXT;
-- later requests push run_at to this time at most
ALTER TABLE jobs ADD COLUMN debounce_until INTEGER;
-- the action, and the key whose jobs take turns with those of other keys
ALTER TABLE jobs ADD COLUMN fair_group TEXT;
ALTER TABLE jobs ADD COLUMN fair_key TEXT;
-- the round in which it has its turn
ALTER TABLE jobs ADD COLUMN fair_turn INTEGER;

-- how far a job is by its own account, 0 to 1, and a note
ALTER TABLE jobs ADD COLUMN progress_fraction REAL;
ALTER TABLE jobs ADD COLUMN progress_note TEXT;

-- Placed jobs of a rate by time, for the place of the next one; and those that wait, for the one that moves up.
CREATE INDEX jobs_paced ON jobs (rate_key, run_at) WHERE status = 'queued' AND paced = 1;
CREATE INDEX jobs_paced_next ON jobs (rate_key, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 0 AND paced = 1;
CREATE INDEX jobs_debounced ON jobs (debounce_key, id)
  WHERE status = 'queued' AND attempt = 0 AND debounce_key IS NOT NULL;
-- Ready jobs of an action in the order of their turns, under a tag and level as in jobs_ready.
CREATE INDEX jobs_fair ON jobs (fair_group, tag, min_level, priority DESC, fair_turn, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND blocked = 0 AND fair_group IS NOT NULL;
CREATE INDEX jobs_fair_keys ON jobs (fair_group, fair_key, fair_turn)
  WHERE status = 'queued' AND fair_group IS NOT NULL;

-- The last starts of a rate's key, as many as its limit.
CREATE TABLE rate_starts (
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (key, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX rate_starts_by_age ON rate_starts (at);

-- The round of the last job that each action with a fairKey has started.
CREATE TABLE fair_turns (
  fair_group TEXT PRIMARY KEY,
  turn INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A start counts. The first job that waits moves up to the time at which the next start is allowed, when a canceled job or
-- one of a higher priority has left a gap. While another one is due, that one is next.
CREATE TRIGGER jobs_rate_start AFTER UPDATE OF status ON jobs
WHEN NEW.rate_key IS NOT NULL AND NEW.status = 'running' AND OLD.status = 'queued' AND OLD.suspended_kind IS NULL
BEGIN
  INSERT INTO rate_starts (key, seq, at)
  SELECT NEW.rate_key, COALESCE((SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key), 0) + 1, NEW.started_at;
  DELETE FROM rate_starts WHERE key = NEW.rate_key
    AND seq <= (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) - NEW.rate_limit;
  UPDATE jobs SET run_at = next.allowed
  FROM (SELECT COALESCE((SELECT at + NEW.rate_ms FROM rate_starts WHERE key = NEW.rate_key
      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) + 1 - NEW.rate_limit), NEW.started_at) AS allowed,
    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next
      WHERE w.rate_key = NEW.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1
      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next
  WHERE jobs.ws = NEW.ws AND jobs.id = next.id AND jobs.run_at > next.allowed
    AND NOT EXISTS (SELECT 1 FROM jobs q INDEXED BY jobs_paced
      WHERE q.rate_key = NEW.rate_key AND q.status = 'queued' AND q.paced = 1 AND q.ready = 1
        AND q.run_at <= NEW.started_at);
END;

-- A placed job leaves the queue without a start.
CREATE TRIGGER jobs_rate_leave AFTER UPDATE OF status ON jobs
WHEN OLD.paced = 1 AND OLD.status = 'queued' AND NEW.status NOT IN ('queued', 'running')
BEGIN
  UPDATE jobs SET run_at = next.allowed
  FROM (SELECT COALESCE((SELECT at + OLD.rate_ms FROM rate_starts WHERE key = OLD.rate_key
      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = OLD.rate_key) + 1 - OLD.rate_limit), OLD.created_at) AS allowed,
    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next
      WHERE w.rate_key = OLD.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1
      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next
  WHERE jobs.ws = OLD.ws AND jobs.id = next.id AND jobs.run_at > next.allowed;
END;

CREATE TRIGGER jobs_fair_start AFTER UPDATE OF status ON jobs
WHEN NEW.fair_group IS NOT NULL AND NEW.status = 'running' AND OLD.status = 'queued'
BEGIN
  INSERT INTO fair_turns (fair_group, turn) VALUES (NEW.fair_group, NEW.fair_turn)
  ON CONFLICT DO UPDATE SET turn = max(turn, excluded.turn);
END;
