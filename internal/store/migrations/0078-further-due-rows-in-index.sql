-- contraction, serves 41
-- These lists of due rows read their indexes alone, as those of 0076 do. With 50,000 rows of a workspace, a page of events took 100 ms,
-- and while a move held the workspace, each look for due work took 200 ms.
DROP INDEX events_pending;
CREATE INDEX events_pending ON events (at, id, ws) WHERE pending = 1;
DROP INDEX event_starts_pending;
CREATE INDEX event_starts_pending ON event_starts (at, ws) WHERE status = 'pending';
DROP INDEX flow_runs_to_cancel;
CREATE INDEX flow_runs_to_cancel ON flow_runs (ws, id, cancel_reason, completed_at)
  WHERE cancel_reason IS NOT NULL AND completed_at IS NULL;
DROP INDEX flow_runs_awaiting_room;
CREATE INDEX flow_runs_awaiting_room ON flow_runs (ws, id, completed_at) WHERE awaits_room = 1;
DROP INDEX schedules_waiting;
CREATE INDEX schedules_waiting ON schedules (ws, next_fire_at, waiting_since) WHERE enabled = 1 AND waiting_since IS NOT NULL;
