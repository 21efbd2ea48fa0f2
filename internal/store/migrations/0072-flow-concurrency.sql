-- expansion
-- Limits how many runs of a flow are under way at once, for each key (core/flow/concurrency.ts). NULL: the flow has no limit.
ALTER TABLE flow_runs ADD COLUMN concurrency_key TEXT;
ALTER TABLE flow_runs ADD COLUMN concurrency_limit INTEGER;
ALTER TABLE flow_runs ADD COLUMN concurrency_state TEXT CHECK (concurrency_state IN ('delayed', 'waiting', 'holding'));
-- The places of a key and the runs that wait for one, in their order.
CREATE INDEX flow_runs_concurrent ON flow_runs (ws, concurrency_key, concurrency_state, priority DESC, id)
  WHERE concurrency_key IS NOT NULL AND completed_at IS NULL;

-- Gives the free places of a key to the runs that wait for one, and makes these runs due. The limit is that of the first of them,
-- because each run keeps the limit of its own deployment. Both triggers do the same: a place becomes free, or a run begins to wait.
CREATE TRIGGER flow_runs_take_places AFTER UPDATE OF completed_at, concurrency_state ON flow_runs
WHEN NEW.concurrency_key IS NOT NULL AND (NEW.completed_at IS NOT NULL OR NEW.concurrency_state = 'waiting')
BEGIN
  UPDATE flow_runs SET concurrency_state = 'holding', version = version + 1,
    wait_until = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE ws = NEW.ws AND id IN (
    SELECT w.id FROM flow_runs w INDEXED BY flow_runs_concurrent
    WHERE w.ws = NEW.ws AND w.concurrency_key = NEW.concurrency_key AND w.concurrency_state = 'waiting'
      AND w.completed_at IS NULL
    ORDER BY w.priority DESC, w.id
    LIMIT max(0, COALESCE((
      SELECT f.concurrency_limit FROM flow_runs f INDEXED BY flow_runs_concurrent
      WHERE f.ws = NEW.ws AND f.concurrency_key = NEW.concurrency_key AND f.concurrency_state = 'waiting'
        AND f.completed_at IS NULL
      ORDER BY f.priority DESC, f.id LIMIT 1), 0) - (
      SELECT count(*) FROM flow_runs h INDEXED BY flow_runs_concurrent
      WHERE h.ws = NEW.ws AND h.concurrency_key = NEW.concurrency_key AND h.concurrency_state = 'holding'
        AND h.completed_at IS NULL)));
END;

-- A workspace that is copied is held, and its rows stay as they are.
CREATE TRIGGER flow_runs_take_places_at_once AFTER INSERT ON flow_runs
WHEN NEW.concurrency_state = 'waiting' AND NEW.ws NOT IN (SELECT ws FROM held_workspaces)
BEGIN
  UPDATE flow_runs SET concurrency_state = 'holding', version = version + 1,
    wait_until = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE ws = NEW.ws AND id IN (
    SELECT w.id FROM flow_runs w INDEXED BY flow_runs_concurrent
    WHERE w.ws = NEW.ws AND w.concurrency_key = NEW.concurrency_key AND w.concurrency_state = 'waiting'
      AND w.completed_at IS NULL
    ORDER BY w.priority DESC, w.id
    LIMIT max(0, COALESCE((
      SELECT f.concurrency_limit FROM flow_runs f INDEXED BY flow_runs_concurrent
      WHERE f.ws = NEW.ws AND f.concurrency_key = NEW.concurrency_key AND f.concurrency_state = 'waiting'
        AND f.completed_at IS NULL
      ORDER BY f.priority DESC, f.id LIMIT 1), 0) - (
      SELECT count(*) FROM flow_runs h INDEXED BY flow_runs_concurrent
      WHERE h.ws = NEW.ws AND h.concurrency_key = NEW.concurrency_key AND h.concurrency_state = 'holding'
        AND h.completed_at IS NULL)));
END;
