-- What the manifests of deployed apps start by events. A row counts while its deployment is the app's current one.
CREATE TABLE event_targets (
  ws TEXT NOT NULL,
  name TEXT NOT NULL,
  app TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('action', 'flow')),
  target TEXT NOT NULL,
  deployment_id TEXT NOT NULL,
  permissioned_as TEXT NOT NULL,
  PRIMARY KEY (ws, name, app, kind, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_targets_by_app ON event_targets (ws, app);

-- What an event is to start: written with the event, and started once.
CREATE TABLE event_starts (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL,
  event_id TEXT NOT NULL,
  app TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('action', 'flow')),
  target TEXT NOT NULL,
  permissioned_as TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'started', 'refused')),
  -- of the job or flow run
  started_id TEXT,
  reason TEXT,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX event_starts_pending ON event_starts (at) WHERE status = 'pending';
CREATE INDEX event_starts_by_event ON event_starts (ws, event_id);
CREATE INDEX event_starts_by_age ON event_starts (at);
