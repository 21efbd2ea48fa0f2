-- Replays, and operations on many jobs at once.

-- The job whose action and input this one runs again.
ALTER TABLE jobs ADD COLUMN replay_of TEXT;

-- What one request does to many jobs. Its counts change in the batch that deals with a job.
CREATE TABLE operations (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('cancel', 'replay')),
  status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed')),
  matched INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  -- the filter of the request, as JSON
  filter TEXT NOT NULL,
  created_by TEXT NOT NULL,
  -- 1: the caller held apps:write, so its replays may name any tag for what they start
  holds_apps_write INTEGER NOT NULL CHECK (holds_apps_write IN (0, 1)),
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  CHECK ((completed_at IS NULL) = (status = 'running'))
) STRICT, WITHOUT ROWID;
CREATE INDEX operations_by_workspace ON operations (ws, id);
CREATE INDEX operations_running ON operations (id) WHERE status = 'running';
CREATE INDEX operations_ended ON operations (completed_at) WHERE status <> 'running';

-- The jobs of an operation that wait for their turn. What matches is fixed when the operation is accepted; a row leaves in
-- the batch that deals with its job.
CREATE TABLE operation_jobs (
  operation_id TEXT NOT NULL REFERENCES operations (id),
  job_id TEXT NOT NULL,
  PRIMARY KEY (operation_id, job_id)
) STRICT, WITHOUT ROWID;
