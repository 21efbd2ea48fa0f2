-- Schedules, leadership and the nodes of an instance (document 1, Schedule; issue "Many nodes").

CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  app TEXT NOT NULL,
  -- exactly one of them
  action TEXT,
  flow TEXT,
  cron TEXT NOT NULL,
  timezone TEXT NOT NULL,
  input TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- grows with each change: a slot that was computed by an earlier version is not fired
  version INTEGER NOT NULL DEFAULT 1,
  next_fire_at INTEGER,
  last_fire_at INTEGER,
  last_job_id TEXT,
  last_flow_run_id TEXT,
  disabled_reason TEXT,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((action IS NULL) <> (flow IS NULL)),
  CHECK (enabled = 0 OR next_fire_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX schedules_by_workspace ON schedules (ws, id);
CREATE INDEX schedules_by_app ON schedules (ws, app);
CREATE INDEX schedules_due ON schedules (next_fire_at) WHERE enabled = 1;

-- What became of each slot. The key is what makes a slot fire once, whoever tries; a run of skipped slots is one row.
CREATE TABLE schedule_slots (
  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  slot INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('fired', 'skipped')),
  job_id TEXT,
  flow_run_id TEXT,
  -- of skipped ones: the last of the run, how many (at most 1000 are counted), and why
  last_slot INTEGER,
  count INTEGER NOT NULL DEFAULT 1,
  reason TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (schedule_id, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_slots_by_age ON schedule_slots (at);

-- Who does the duties that are better done by one. Taken when there is something to do, so that an idle instance writes
-- nothing; `epoch` grows with each change of hands.
CREATE TABLE leaders (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Nodes find each other here; that they are alive they tell each other directly, or by `pinged_at` where they cannot.
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  -- where other nodes reach it; NULL: it only connects to others
  address TEXT,
  -- of a worker that the bus joins to no server: JSON with group, tags, concurrency, running
  worker TEXT,
  started_at INTEGER NOT NULL,
  pinged_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
