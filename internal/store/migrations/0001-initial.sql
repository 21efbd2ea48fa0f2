-- Times are milliseconds since 1970 UTC. JSON stands as TEXT. Every tenant table carries ws.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  default_tag TEXT NOT NULL DEFAULT 'default',
  -- the workspace's data key, wrapped by the instance key
  wrapped_key TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  email TEXT PRIMARY KEY,
  password_hash TEXT,
  super_admin INTEGER NOT NULL DEFAULT 0 CHECK (super_admin IN (0, 1)),
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  email TEXT NOT NULL REFERENCES users (email),
  role TEXT NOT NULL CHECK (role IN ('member', 'admin')),
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ws, email)
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  email TEXT NOT NULL REFERENCES users (email),
  label TEXT NOT NULL,
  -- SHA-256 of the whole token text, hex; the text itself is never kept
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL,
  admin INTEGER NOT NULL DEFAULT 0 CHECK (admin IN (0, 1)),
  expires_at INTEGER,
  revoked_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_workspace ON tokens (ws, id);

CREATE TABLE git_sources (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  branch TEXT,
  path TEXT NOT NULL DEFAULT '',
  -- credentials, encrypted with the workspace key
  auth TEXT,
  auto_sync_s INTEGER,
  last_commit TEXT,
  last_sync_at INTEGER,
  last_error TEXT,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX git_sources_by_workspace ON git_sources (ws, id);

CREATE TABLE apps (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  -- the current deployment; NULL until the first one
  deployment_id TEXT,
  git_source_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (ws, key)
) STRICT, WITHOUT ROWID;

-- One bundled entry file (JavaScript and its source map), by the hash of its content.
CREATE TABLE bundles (
  hash TEXT PRIMARY KEY,
  code BLOB NOT NULL,
  source_map BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Immutable: a queued job points here and so keeps its commit, entrypoint, schemas and limits.
CREATE TABLE deployments (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  app TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('git', 'upload', 'draft')),
  git_source_id TEXT,
  message TEXT,
  manifest TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deployments_by_app ON deployments (ws, app, id);

CREATE TABLE deployment_actions (
  deployment_id TEXT NOT NULL REFERENCES deployments (id),
  key TEXT NOT NULL,
  entrypoint TEXT NOT NULL,
  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),
  -- the action's object in the manifest with every default filled in
  definition TEXT NOT NULL,
  PRIMARY KEY (deployment_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE action_overrides (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  action TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (ws, app, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE variables (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  key TEXT NOT NULL,
  -- encrypted with the workspace key, bound to workspace and key
  value TEXT NOT NULL,
  secret INTEGER NOT NULL CHECK (secret IN (0, 1)),
  updated_by TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (ws, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE resources (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  key TEXT NOT NULL,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (ws, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_state (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (ws, app, key)
) STRICT, WITHOUT ROWID;

-- The queue and the history in one table; the partial indexes below are the queue, so its cost depends on what waits,
-- not on what is done. Payloads that may be large stand elsewhere (job_inputs) or last (result). Clustered by
-- (ws, id), ids being UUIDv7: an enqueue then touches three pages, and a workspace's list is a scan of the key.
CREATE TABLE jobs (
  ws TEXT NOT NULL,
  id TEXT NOT NULL,
  app TEXT NOT NULL,
  action TEXT NOT NULL,
  deployment_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'success', 'failure', 'canceled')),
  tag TEXT NOT NULL,
  priority INTEGER NOT NULL DEFAULT 0,
  -- 0 while run_at lies ahead; the next claim after run_at turns it to 1
  ready INTEGER NOT NULL DEFAULT 1 CHECK (ready IN (0, 1)),
  run_at INTEGER NOT NULL,
  concurrency_key TEXT,
  concurrency_limit INTEGER,
  -- the fencing token: every write of a worker names the attempt that it was given
  attempt INTEGER NOT NULL DEFAULT 0,
  max_attempts INTEGER NOT NULL DEFAULT 1,
  crash_count INTEGER NOT NULL DEFAULT 0,
  -- how many lost workers end the job; 1 for `onWorkerLost: fail`
  crash_limit INTEGER NOT NULL,
  failure_count INTEGER NOT NULL DEFAULT 0,
  claim_id TEXT,
  lease_until INTEGER,
  -- the soft-cancel mark: why, and who asked
  cancel_reason TEXT,
  cancel_by TEXT,
  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN ('api', 'webhook', 'schedule')),
  created_by TEXT NOT NULL,
  permissioned_as TEXT NOT NULL,
  customer_id TEXT,
  flow_run_id TEXT,
  flow_step TEXT,
  worker TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  result TEXT,
  PRIMARY KEY (ws, id),
  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK ((lease_until IS NULL) = (status <> 'running')),
  CHECK ((concurrency_key IS NULL) = (concurrency_limit IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_ready ON jobs (tag, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND concurrency_key IS NULL;
CREATE INDEX jobs_ready_keyed ON jobs (concurrency_key, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND concurrency_key IS NOT NULL;
CREATE INDEX jobs_delayed ON jobs (run_at) WHERE status = 'queued' AND ready = 0;
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE status = 'running';
CREATE INDEX jobs_running_keyed ON jobs (concurrency_key)
  WHERE status = 'running' AND concurrency_key IS NOT NULL;

CREATE TRIGGER jobs_terminal_is_final BEFORE UPDATE ON jobs
WHEN OLD.completed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a finished job never changes');
END;

CREATE TABLE job_inputs (
  job_id TEXT PRIMARY KEY,
  input TEXT NOT NULL,
  -- webhook only: captured headers and how the body was carried
  trigger TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE job_logs (
  job_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  chunk BLOB NOT NULL,
  PRIMARY KEY (job_id, attempt, seq)
) STRICT;

-- Billing: one row a finished job, no payload, kept when retention removes the job.
CREATE TABLE ledger (
  job_id TEXT PRIMARY KEY,
  ws TEXT NOT NULL,
  customer_id TEXT,
  app TEXT NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'failure', 'canceled')),
  duration_ms INTEGER NOT NULL,
  completed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  ws TEXT NOT NULL,
  credential TEXT NOT NULL,
  route TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  job_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ws, credential, route, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
