-- expansion
-- Limits how many runs of a flow are under way at once, for each key (core/flow/concurrency.ts). NULL: the flow has no limit.
ALTER TABLE flow_runs ADD COLUMN concurrency_key TEXT;
ALTER TABLE flow_runs ADD COLUMN concurrency_limit INTEGER;
ALTER TABLE flow_runs ADD COLUMN concurrency_state TEXT CHECK (concurrency_state IN ('delayed', 'waiting', 'holding'));
-- The places of a key and the runs that wait for one, in their order. It contains completed_at, so that SQLite counts places in the
-- index alone.
CREATE INDEX flow_runs_concurrent ON flow_runs (ws, concurrency_key, concurrency_state, completed_at, priority DESC, id)
  WHERE concurrency_key IS NOT NULL AND completed_at IS NULL;

-- Gives the free places of a key to the runs that wait for one, and makes these runs due: when a place becomes free, when a run begins
-- to wait, and when a run that got a place begins. The limit is that of the run that waits first, because each run keeps the limit of
-- its own deployment. A write gives at most 10 places, so that a limit that rose to 10,000 does not stop the writes of all workspaces;
-- each run that begins (its step_index is no longer -1) gives further ones, until none is free or no run waits.
CREATE TRIGGER flow_runs_take_places AFTER UPDATE OF completed_at, concurrency_state, step_index ON flow_runs
WHEN NEW.concurrency_key IS NOT NULL
  AND (NEW.completed_at IS NOT NULL OR NEW.concurrency_state = 'waiting' OR (OLD.step_index = -1 AND NEW.step_index <> -1))
  AND EXISTS (
    SELECT 1 FROM flow_runs w INDEXED BY flow_runs_concurrent
    WHERE w.ws = NEW.ws AND w.concurrency_key = NEW.concurrency_key AND w.concurrency_state = 'waiting'
      AND w.completed_at IS NULL)
BEGIN
  UPDATE flow_runs SET concurrency_state = 'holding', version = version + 1,
    wait_until = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE ws = NEW.ws AND id IN (
    SELECT w.id FROM flow_runs w INDEXED BY flow_runs_concurrent
    WHERE w.ws = NEW.ws AND w.concurrency_key = NEW.concurrency_key AND w.concurrency_state = 'waiting'
      AND w.completed_at IS NULL
    ORDER BY w.priority DESC, w.id
    LIMIT min(10, max(0, COALESCE((
      SELECT f.concurrency_limit FROM flow_runs f INDEXED BY flow_runs_concurrent
      WHERE f.ws = NEW.ws AND f.concurrency_key = NEW.concurrency_key AND f.concurrency_state = 'waiting'
        AND f.completed_at IS NULL
      ORDER BY f.priority DESC, f.id LIMIT 1), 0) - (
      SELECT count(*) FROM flow_runs h INDEXED BY flow_runs_concurrent
      WHERE h.ws = NEW.ws AND h.concurrency_key = NEW.concurrency_key AND h.concurrency_state = 'holding'
        AND h.completed_at IS NULL))));
END;

-- A run that waits from its insert on fires the trigger above. A workspace that is copied is held, and its rows stay as they are.
CREATE TRIGGER flow_runs_begin_to_wait AFTER INSERT ON flow_runs
WHEN NEW.concurrency_state = 'waiting' AND NEW.ws NOT IN (SELECT ws FROM held_workspaces)
BEGIN
  UPDATE flow_runs SET concurrency_state = 'waiting' WHERE ws = NEW.ws AND id = NEW.id;
END;
