-- Every kind of credential, people, drafts and the audit log (document 1, Authentication; contract, Auth and people).
-- Of each secret text only its SHA-256 (hex) is kept, and a prefix by which a person finds the row.

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL REFERENCES users (email),
  hash TEXT NOT NULL UNIQUE,
  address TEXT,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (email, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Guesses of all kinds (log-ins, codes), one row each, so that a limit holds across servers. `bucket` names what is
-- guessed by whom, hashed: `login|<hash>`. A right guess takes its own row away again.
CREATE TABLE guesses (
  bucket TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (bucket, at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX guesses_by_age ON guesses (at);

CREATE TABLE invites (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  email TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('member', 'admin')),
  hash TEXT NOT NULL UNIQUE,
  created_by TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  accepted_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invites_by_workspace ON invites (ws, id);

-- Device login (RFC 8628).
CREATE TABLE device_logins (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  -- what a person types, without the dash; free for another once this one has ended
  user_code TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'used')),
  email TEXT,
  ws TEXT,
  interval_s INTEGER NOT NULL,
  last_polled_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((email IS NOT NULL) = (status IN ('approved', 'used')))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX device_logins_by_user_code ON device_logins (user_code) WHERE status = 'pending';
CREATE INDEX device_logins_by_expiry ON device_logins (expires_at);

ALTER TABLE users ADD COLUMN name TEXT;

ALTER TABLE workspaces ADD COLUMN error_handler TEXT;

-- One error handler's job for each that failed, also when the write that ended it is tried again.
CREATE UNIQUE INDEX jobs_error_handler ON jobs (created_by) WHERE created_by GLOB 'error_handler:*';

-- Outside customers; grants, not scopes, decide what their keys may call.
CREATE TABLE consumers (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  external_ref TEXT,
  disabled_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX consumers_by_workspace ON consumers (ws, id);

CREATE TABLE consumer_grants (
  consumer_id TEXT NOT NULL REFERENCES consumers (id) ON DELETE CASCADE,
  app TEXT NOT NULL,
  action TEXT NOT NULL,
  PRIMARY KEY (consumer_id, app, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE consumer_keys (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL,
  consumer_id TEXT NOT NULL REFERENCES consumers (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX consumer_keys_by_consumer ON consumer_keys (consumer_id, id);

-- `keyId.secret` of the parser and the relay (document 2).
CREATE TABLE api_keys (
  key_id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  revoked_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_workspace ON api_keys (ws, key_id);

-- Read-only sharing of one job.
CREATE TABLE view_tokens (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL,
  job_id TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX view_tokens_by_job ON view_tokens (job_id, id);
CREATE INDEX view_tokens_by_expiry ON view_tokens (expires_at);

CREATE TABLE drafts (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  app TEXT NOT NULL,
  -- `[[path, text], …]`
  files TEXT NOT NULL,
  -- of the files, so that a list need not read them
  file_count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (ws, app)
) STRICT, WITHOUT ROWID;

-- Who did what, from where, with which credential; written in the same batch as what it tells of.
CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  -- NULL: an act on the instance
  ws TEXT,
  identity TEXT NOT NULL,
  credential_kind TEXT NOT NULL,
  credential_prefix TEXT,
  address TEXT,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_log_by_workspace ON audit_log (ws, id);
CREATE INDEX audit_log_by_time ON audit_log (at);

-- The job list by state and by app; the ledger by time, for counts over the last hours.
CREATE INDEX jobs_open ON jobs (ws, id) WHERE completed_at IS NULL;
CREATE INDEX jobs_unsuccessful ON jobs (ws, id) WHERE status IN ('failure', 'canceled');
CREATE INDEX jobs_by_app ON jobs (ws, app, id);
CREATE INDEX ledger_by_time ON ledger (ws, completed_at, job_id, app, outcome);
CREATE INDEX ledger_by_customer ON ledger (ws, customer_id, completed_at, job_id) WHERE customer_id IS NOT NULL;
