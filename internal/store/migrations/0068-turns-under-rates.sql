-- expansion
-- Which job of an action with a fairKey gets a place in a rate is decided when the place is due: the waiting job whose turn it is
-- becomes ready, and the job that had the place waits for the place of that one. In the order of the queue, a tenant with many
-- jobs would have all the next places.
CREATE INDEX jobs_paced_fair ON jobs (rate_key, tag, min_level, priority DESC, fair_turn, id)
  WHERE status = 'queued' AND ready = 0 AND paced = 1 AND fair_turn IS NOT NULL;

-- A requeue brings run_at forward, so it is not meant.
CREATE TRIGGER jobs_place_due AFTER UPDATE OF ready ON jobs
WHEN NEW.ready = 1 AND OLD.ready = 0 AND NEW.paced = 1 AND NEW.fair_turn IS NOT NULL AND NEW.run_at = OLD.run_at
BEGIN
  UPDATE jobs SET ready = jobs.id <> NEW.id,
    run_at = CASE WHEN jobs.id = NEW.id THEN next.run_at ELSE NEW.run_at END
  FROM (SELECT w.id, w.priority, w.fair_turn, w.run_at FROM jobs w INDEXED BY jobs_paced_fair
    WHERE w.rate_key = NEW.rate_key AND w.tag = NEW.tag AND w.min_level = NEW.min_level
      AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1 AND w.fair_turn IS NOT NULL
    ORDER BY w.priority DESC, w.fair_turn, w.id LIMIT 1) next
  WHERE jobs.ws = NEW.ws AND jobs.id IN (NEW.id, next.id)
    AND (-next.priority, next.fair_turn, next.id) < (-NEW.priority, NEW.fair_turn, NEW.id)
    -- the fence of a move refuses a change of run_at, and with it the claims of all workspaces
    AND NEW.ws NOT IN (SELECT ws FROM held_workspaces);
END;
