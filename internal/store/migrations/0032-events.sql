-- Events. A row is kept for a day, in which its id deduplicates.
CREATE TABLE events (
  ws TEXT NOT NULL,
  id TEXT NOT NULL,
  -- the call that inserted it: a repeated write recognizes itself
  call TEXT NOT NULL,
  name TEXT NOT NULL,
  -- NULL: an event without a key
  key TEXT,
  -- encrypted
  data TEXT NOT NULL,
  sent_by TEXT NOT NULL,
  -- how many jobs and runs started one another before it
  chain_depth INTEGER NOT NULL DEFAULT 0,
  -- waits that it woke and targets that it started
  delivered INTEGER NOT NULL DEFAULT 0,
  -- 1: waits may be left that it has not woken
  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending IN (0, 1)),
  at INTEGER NOT NULL,
  PRIMARY KEY (ws, id)
) STRICT;
CREATE INDEX events_by_address ON events (ws, name, key, at, id);
CREATE INDEX events_pending ON events (at) WHERE pending = 1;
CREATE INDEX events_by_age ON events (at);
CREATE INDEX event_waits_by_event ON event_waits (event_id) WHERE event_id IS NOT NULL;

-- A run that has ended waits for nothing.
CREATE TRIGGER flow_runs_waits_ended AFTER UPDATE OF completed_at ON flow_runs
WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL
BEGIN
  UPDATE event_waits SET status = 'canceled', ended_at = NEW.completed_at WHERE owner_id = NEW.id AND status = 'open';
END;
