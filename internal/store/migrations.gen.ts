// Made by `make generate` from internal/store/migrations. Do not edit.
export const MIGRATIONS: readonly Readonly<{
  version: number
  name: string
  oldestCode?: number
  statements: readonly string[]
}>[] = [
  {
    "version": 1,
    "name": "initial",
    "statements": [
      "CREATE TABLE meta (\n  key TEXT PRIMARY KEY,\n  value TEXT NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE workspaces (\n  id TEXT PRIMARY KEY,\n  name TEXT NOT NULL,\n  default_tag TEXT NOT NULL DEFAULT 'default',\n  wrapped_key TEXT NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE users (\n  email TEXT PRIMARY KEY,\n  password_hash TEXT,\n  super_admin INTEGER NOT NULL DEFAULT 0 CHECK (super_admin IN (0, 1)),\n  disabled_at INTEGER,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE members (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  email TEXT NOT NULL REFERENCES users (email),\n  role TEXT NOT NULL CHECK (role IN ('member', 'admin')),\n  disabled_at INTEGER,\n  created_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, email)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE tokens (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  email TEXT NOT NULL REFERENCES users (email),\n  label TEXT NOT NULL,\n  hash TEXT NOT NULL UNIQUE,\n  prefix TEXT NOT NULL,\n  scopes TEXT NOT NULL,\n  admin INTEGER NOT NULL DEFAULT 0 CHECK (admin IN (0, 1)),\n  expires_at INTEGER,\n  revoked_at INTEGER,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX tokens_by_workspace ON tokens (ws, id)",
      "CREATE TABLE git_sources (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  name TEXT NOT NULL,\n  url TEXT NOT NULL,\n  branch TEXT,\n  path TEXT NOT NULL DEFAULT '',\n  auth TEXT,\n  auto_sync_s INTEGER,\n  last_commit TEXT,\n  last_sync_at INTEGER,\n  last_error TEXT,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX git_sources_by_workspace ON git_sources (ws, id)",
      "CREATE TABLE apps (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  key TEXT NOT NULL,\n  name TEXT NOT NULL,\n  deployment_id TEXT,\n  git_source_id TEXT,\n  created_at INTEGER NOT NULL,\n  updated_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, key)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE bundles (\n  hash TEXT PRIMARY KEY,\n  code BLOB NOT NULL,\n  source_map BLOB NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT",
      "CREATE TABLE deployments (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  app TEXT NOT NULL,\n  commit_id TEXT NOT NULL,\n  source TEXT NOT NULL CHECK (source IN ('git', 'upload', 'draft')),\n  git_source_id TEXT,\n  message TEXT,\n  manifest TEXT NOT NULL,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX deployments_by_app ON deployments (ws, app, id)",
      "CREATE TABLE deployment_actions (\n  deployment_id TEXT NOT NULL REFERENCES deployments (id),\n  key TEXT NOT NULL,\n  entrypoint TEXT NOT NULL,\n  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),\n  definition TEXT NOT NULL,\n  PRIMARY KEY (deployment_id, key)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE action_overrides (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  action TEXT NOT NULL,\n  tag TEXT NOT NULL,\n  PRIMARY KEY (ws, app, action)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE variables (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  key TEXT NOT NULL,\n  value TEXT NOT NULL,\n  secret INTEGER NOT NULL CHECK (secret IN (0, 1)),\n  updated_by TEXT NOT NULL,\n  updated_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, key)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE resources (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  key TEXT NOT NULL,\n  type TEXT NOT NULL,\n  value TEXT NOT NULL,\n  updated_by TEXT NOT NULL,\n  updated_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, key)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE app_state (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  key TEXT NOT NULL,\n  value TEXT NOT NULL,\n  updated_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, app, key)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE jobs (\n  ws TEXT NOT NULL,\n  id TEXT NOT NULL,\n  app TEXT NOT NULL,\n  action TEXT NOT NULL,\n  deployment_id TEXT NOT NULL,\n  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'success', 'failure', 'canceled')),\n  tag TEXT NOT NULL,\n  priority INTEGER NOT NULL DEFAULT 0,\n  ready INTEGER NOT NULL DEFAULT 1 CHECK (ready IN (0, 1)),\n  run_at INTEGER NOT NULL,\n  concurrency_key TEXT,\n  concurrency_limit INTEGER,\n  attempt INTEGER NOT NULL DEFAULT 0,\n  max_attempts INTEGER NOT NULL DEFAULT 1,\n  crash_count INTEGER NOT NULL DEFAULT 0,\n  crash_limit INTEGER NOT NULL,\n  failure_count INTEGER NOT NULL DEFAULT 0,\n  claim_id TEXT,\n  lease_until INTEGER,\n  cancel_reason TEXT,\n  cancel_by TEXT,\n  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN ('api', 'webhook', 'schedule')),\n  created_by TEXT NOT NULL,\n  permissioned_as TEXT NOT NULL,\n  customer_id TEXT,\n  flow_run_id TEXT,\n  flow_step TEXT,\n  worker TEXT,\n  created_at INTEGER NOT NULL,\n  started_at INTEGER,\n  completed_at INTEGER,\n  result TEXT,\n  PRIMARY KEY (ws, id),\n  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),\n  CHECK ((lease_until IS NULL) = (status <> 'running')),\n  CHECK ((concurrency_key IS NULL) = (concurrency_limit IS NULL))\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX jobs_ready ON jobs (tag, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND concurrency_key IS NULL",
      "CREATE INDEX jobs_ready_keyed ON jobs (concurrency_key, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND concurrency_key IS NOT NULL",
      "CREATE INDEX jobs_delayed ON jobs (run_at) WHERE status = 'queued' AND ready = 0",
      "CREATE INDEX jobs_leased ON jobs (lease_until) WHERE status = 'running'",
      "CREATE INDEX jobs_running_keyed ON jobs (concurrency_key)\n  WHERE status = 'running' AND concurrency_key IS NOT NULL",
      "CREATE TRIGGER jobs_terminal_is_final BEFORE UPDATE ON jobs\nWHEN OLD.completed_at IS NOT NULL\nBEGIN\n  SELECT RAISE(ABORT, 'a finished job never changes');\nEND",
      "CREATE TABLE job_inputs (\n  job_id TEXT PRIMARY KEY,\n  input TEXT NOT NULL,\n  trigger TEXT\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE job_logs (\n  job_id TEXT NOT NULL,\n  attempt INTEGER NOT NULL,\n  seq INTEGER NOT NULL,\n  chunk BLOB NOT NULL,\n  PRIMARY KEY (job_id, attempt, seq)\n) STRICT",
      "CREATE TABLE ledger (\n  job_id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL,\n  customer_id TEXT,\n  app TEXT NOT NULL,\n  action TEXT NOT NULL,\n  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'failure', 'canceled')),\n  duration_ms INTEGER NOT NULL,\n  completed_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE idempotency_keys (\n  ws TEXT NOT NULL,\n  credential TEXT NOT NULL,\n  route TEXT NOT NULL,\n  key TEXT NOT NULL,\n  body_hash TEXT NOT NULL,\n  job_id TEXT NOT NULL,\n  created_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, credential, route, key)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)"
    ]
  },
  {
    "version": 2,
    "name": "access",
    "statements": [
      "CREATE TABLE sessions (\n  id TEXT PRIMARY KEY,\n  email TEXT NOT NULL REFERENCES users (email),\n  hash TEXT NOT NULL UNIQUE,\n  address TEXT,\n  expires_at INTEGER NOT NULL,\n  revoked_at INTEGER,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX sessions_by_user ON sessions (email, id)",
      "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
      "CREATE TABLE guesses (\n  bucket TEXT NOT NULL,\n  id TEXT NOT NULL,\n  at INTEGER NOT NULL,\n  PRIMARY KEY (bucket, at, id)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX guesses_by_age ON guesses (at)",
      "CREATE TABLE invites (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  email TEXT NOT NULL,\n  role TEXT NOT NULL CHECK (role IN ('member', 'admin')),\n  hash TEXT NOT NULL UNIQUE,\n  created_by TEXT NOT NULL,\n  expires_at INTEGER NOT NULL,\n  accepted_at INTEGER,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX invites_by_workspace ON invites (ws, id)",
      "CREATE TABLE device_logins (\n  id TEXT PRIMARY KEY,\n  hash TEXT NOT NULL UNIQUE,\n  user_code TEXT NOT NULL,\n  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'used')),\n  email TEXT,\n  ws TEXT,\n  interval_s INTEGER NOT NULL,\n  last_polled_at INTEGER,\n  expires_at INTEGER NOT NULL,\n  created_at INTEGER NOT NULL,\n  CHECK ((email IS NOT NULL) = (status IN ('approved', 'used')))\n) STRICT, WITHOUT ROWID",
      "CREATE UNIQUE INDEX device_logins_by_user_code ON device_logins (user_code) WHERE status = 'pending'",
      "CREATE INDEX device_logins_by_expiry ON device_logins (expires_at)",
      "ALTER TABLE users ADD COLUMN name TEXT",
      "ALTER TABLE workspaces ADD COLUMN error_handler TEXT",
      "CREATE UNIQUE INDEX jobs_error_handler ON jobs (created_by) WHERE created_by GLOB 'error_handler:*'",
      "CREATE TABLE consumers (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  name TEXT NOT NULL,\n  external_ref TEXT,\n  disabled_at INTEGER,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL,\n  updated_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX consumers_by_workspace ON consumers (ws, id)",
      "CREATE TABLE consumer_grants (\n  consumer_id TEXT NOT NULL REFERENCES consumers (id) ON DELETE CASCADE,\n  app TEXT NOT NULL,\n  action TEXT NOT NULL,\n  PRIMARY KEY (consumer_id, app, action)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE consumer_keys (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL,\n  consumer_id TEXT NOT NULL REFERENCES consumers (id) ON DELETE CASCADE,\n  label TEXT NOT NULL,\n  hash TEXT NOT NULL UNIQUE,\n  prefix TEXT NOT NULL,\n  expires_at INTEGER,\n  revoked_at INTEGER,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX consumer_keys_by_consumer ON consumer_keys (consumer_id, id)",
      "CREATE TABLE api_keys (\n  key_id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  name TEXT NOT NULL,\n  hash TEXT NOT NULL,\n  revoked_at INTEGER,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX api_keys_by_workspace ON api_keys (ws, key_id)",
      "CREATE TABLE view_tokens (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL,\n  job_id TEXT NOT NULL,\n  hash TEXT NOT NULL UNIQUE,\n  prefix TEXT NOT NULL,\n  expires_at INTEGER NOT NULL,\n  revoked_at INTEGER,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX view_tokens_by_job ON view_tokens (job_id, id)",
      "CREATE INDEX view_tokens_by_expiry ON view_tokens (expires_at)",
      "CREATE TABLE drafts (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  app TEXT NOT NULL,\n  files TEXT NOT NULL,\n  file_count INTEGER NOT NULL,\n  bytes INTEGER NOT NULL,\n  updated_by TEXT NOT NULL,\n  updated_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, app)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE audit_log (\n  id TEXT PRIMARY KEY,\n  ws TEXT,\n  identity TEXT NOT NULL,\n  credential_kind TEXT NOT NULL,\n  credential_prefix TEXT,\n  address TEXT,\n  action TEXT NOT NULL,\n  target TEXT NOT NULL,\n  at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX audit_log_by_workspace ON audit_log (ws, id)",
      "CREATE INDEX audit_log_by_time ON audit_log (at)",
      "CREATE INDEX jobs_open ON jobs (ws, id) WHERE completed_at IS NULL",
      "CREATE INDEX jobs_unsuccessful ON jobs (ws, id) WHERE status IN ('failure', 'canceled')",
      "CREATE INDEX jobs_by_app ON jobs (ws, app, id)",
      "CREATE INDEX ledger_by_time ON ledger (ws, completed_at, job_id, app, outcome)",
      "CREATE INDEX ledger_by_customer ON ledger (ws, customer_id, completed_at, job_id) WHERE customer_id IS NOT NULL"
    ]
  },
  {
    "version": 3,
    "name": "nodes",
    "statements": [
      "CREATE TABLE schedules (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  app TEXT NOT NULL,\n  action TEXT,\n  flow TEXT,\n  cron TEXT NOT NULL,\n  timezone TEXT NOT NULL,\n  input TEXT NOT NULL,\n  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),\n  version INTEGER NOT NULL DEFAULT 1,\n  next_fire_at INTEGER,\n  last_fire_at INTEGER,\n  last_job_id TEXT,\n  last_flow_run_id TEXT,\n  disabled_reason TEXT,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL,\n  updated_at INTEGER NOT NULL,\n  CHECK ((action IS NULL) <> (flow IS NULL)),\n  CHECK (enabled = 0 OR next_fire_at IS NOT NULL)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX schedules_by_workspace ON schedules (ws, id)",
      "CREATE INDEX schedules_by_app ON schedules (ws, app)",
      "CREATE INDEX schedules_due ON schedules (next_fire_at) WHERE enabled = 1",
      "CREATE TABLE schedule_slots (\n  schedule_id TEXT NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,\n  slot INTEGER NOT NULL,\n  outcome TEXT NOT NULL CHECK (outcome IN ('fired', 'skipped')),\n  job_id TEXT,\n  flow_run_id TEXT,\n  last_slot INTEGER,\n  count INTEGER NOT NULL DEFAULT 1,\n  reason TEXT,\n  at INTEGER NOT NULL,\n  PRIMARY KEY (schedule_id, slot)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX schedule_slots_by_age ON schedule_slots (at)",
      "CREATE TABLE leaders (\n  name TEXT PRIMARY KEY,\n  owner TEXT NOT NULL,\n  epoch INTEGER NOT NULL,\n  lease_until INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE nodes (\n  id TEXT PRIMARY KEY,\n  role TEXT NOT NULL,\n  name TEXT NOT NULL,\n  host TEXT NOT NULL,\n  version TEXT NOT NULL,\n  address TEXT,\n  worker TEXT,\n  started_at INTEGER NOT NULL,\n  pinged_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 4,
    "name": "flows",
    "statements": [
      "CREATE TABLE flow_runs (\n  ws TEXT NOT NULL,\n  id TEXT NOT NULL,\n  app TEXT NOT NULL,\n  flow TEXT NOT NULL,\n  deployment_id TEXT NOT NULL,\n  status TEXT NOT NULL CHECK (status IN ('running', 'waiting_approval', 'completed', 'failed', 'canceled')),\n  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN ('api', 'webhook', 'schedule', 'public', 'subflow')),\n  trigger TEXT,\n  input TEXT NOT NULL,\n  result TEXT,\n  error TEXT,\n  failure TEXT,\n  created_by TEXT NOT NULL,\n  permissioned_as TEXT NOT NULL,\n  parent_run_id TEXT,\n  parent_index INTEGER,\n  depth INTEGER NOT NULL DEFAULT 0,\n  restarted_from TEXT,\n  step_index INTEGER NOT NULL,\n  version INTEGER NOT NULL DEFAULT 1,\n  transition TEXT NOT NULL,\n  wait_until INTEGER,\n  created_at INTEGER NOT NULL,\n  completed_at INTEGER,\n  PRIMARY KEY (ws, id),\n  CHECK ((completed_at IS NULL) = (status IN ('running', 'waiting_approval'))),\n  CHECK ((parent_run_id IS NULL) = (parent_index IS NULL))\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX flow_runs_by_flow ON flow_runs (ws, app, flow, id)",
      "CREATE INDEX flow_runs_open ON flow_runs (ws, id) WHERE completed_at IS NULL",
      "CREATE INDEX flow_runs_waiting ON flow_runs (ws, id) WHERE status = 'waiting_approval'",
      "CREATE INDEX flow_runs_by_deadline ON flow_runs (wait_until) WHERE wait_until IS NOT NULL",
      "CREATE INDEX flow_runs_ended ON flow_runs (completed_at) WHERE completed_at IS NOT NULL",
      "CREATE INDEX flow_runs_by_parent ON flow_runs (parent_run_id, parent_index) WHERE parent_run_id IS NOT NULL",
      "CREATE TRIGGER flow_runs_terminal_is_final BEFORE UPDATE ON flow_runs\nWHEN OLD.completed_at IS NOT NULL\nBEGIN\n  SELECT RAISE(ABORT, 'a finished flow run never changes');\nEND",
      "CREATE TABLE flow_steps (\n  run_id TEXT NOT NULL,\n  step_index INTEGER NOT NULL,\n  key TEXT NOT NULL,\n  status TEXT NOT NULL CHECK (status IN\n    ('running', 'waiting_approval', 'success', 'failure', 'skipped', 'rejected', 'timed_out', 'canceled')),\n  result TEXT,\n  error TEXT,\n  started_at INTEGER NOT NULL,\n  completed_at INTEGER,\n  PRIMARY KEY (run_id, step_index),\n  CHECK ((completed_at IS NULL) = (status IN ('running', 'waiting_approval')))\n) STRICT, WITHOUT ROWID",
      "CREATE TRIGGER flow_steps_terminal_is_final BEFORE UPDATE ON flow_steps\nWHEN OLD.completed_at IS NOT NULL\nBEGIN\n  SELECT RAISE(ABORT, 'a finished flow step never changes');\nEND",
      "CREATE TABLE flow_slots (\n  run_id TEXT NOT NULL,\n  step_index INTEGER NOT NULL,\n  slot INTEGER NOT NULL,\n  input TEXT NOT NULL,\n  PRIMARY KEY (run_id, step_index, slot)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE approvals (\n  run_id TEXT NOT NULL,\n  step_index INTEGER NOT NULL,\n  approver TEXT NOT NULL,\n  decision TEXT NOT NULL CHECK (decision IN ('approve', 'reject')),\n  form TEXT,\n  reason TEXT,\n  via TEXT NOT NULL CHECK (via IN ('session', 'api_token', 'link')),\n  at INTEGER NOT NULL,\n  PRIMARY KEY (run_id, step_index, approver)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE flow_links (\n  ws TEXT NOT NULL,\n  id TEXT NOT NULL,\n  app TEXT NOT NULL,\n  flow TEXT NOT NULL,\n  hash TEXT NOT NULL UNIQUE,\n  prefix TEXT NOT NULL,\n  form TEXT NOT NULL,\n  max_uses INTEGER NOT NULL CHECK (max_uses BETWEEN 1 AND 100000),\n  expires_at INTEGER NOT NULL,\n  revoked_at INTEGER,\n  created_by TEXT NOT NULL,\n  created_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, id)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX flow_links_by_expiry ON flow_links (expires_at)",
      "CREATE TABLE flow_link_uses (\n  link_id TEXT NOT NULL,\n  run_id TEXT NOT NULL,\n  at INTEGER NOT NULL,\n  PRIMARY KEY (link_id, run_id)\n) STRICT, WITHOUT ROWID",
      "ALTER TABLE jobs ADD COLUMN flow_index INTEGER",
      "ALTER TABLE jobs ADD COLUMN flow_slot INTEGER",
      "ALTER TABLE jobs ADD COLUMN flow_attempt INTEGER",
      "CREATE INDEX jobs_by_flow ON jobs (flow_run_id, flow_index, flow_slot) WHERE flow_run_id IS NOT NULL",
      "CREATE INDEX jobs_by_flow_open ON jobs (flow_run_id, flow_index) WHERE flow_run_id IS NOT NULL AND completed_at IS NULL",
      "ALTER TABLE job_inputs ADD COLUMN flow TEXT"
    ]
  },
  {
    "version": 5,
    "name": "functions",
    "statements": [
      "CREATE TABLE app_functions (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  name TEXT NOT NULL,\n  hash TEXT NOT NULL,\n  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),\n  definition TEXT NOT NULL,\n  files TEXT NOT NULL,\n  entrypoint TEXT NOT NULL,\n  deployed_by TEXT NOT NULL,\n  deployed_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, app, name)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX app_functions_by_app ON app_functions (app, ws)",
      "CREATE TABLE app_hosts (\n  host TEXT PRIMARY KEY,\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX app_hosts_by_app ON app_hosts (ws, app)",
      "CREATE TABLE function_calls (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  name TEXT NOT NULL,\n  id TEXT NOT NULL,\n  method TEXT NOT NULL,\n  status INTEGER NOT NULL,\n  duration_ms INTEGER NOT NULL,\n  error TEXT,\n  log TEXT,\n  at INTEGER NOT NULL,\n  PRIMARY KEY (ws, app, name, id)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX function_calls_by_time ON function_calls (at)"
    ]
  },
  {
    "version": 6,
    "name": "relay",
    "statements": [
      "CREATE TABLE relay_sessions (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  key_id TEXT NOT NULL REFERENCES api_keys (key_id),\n  state TEXT NOT NULL DEFAULT 'waiting'\n    CHECK (state IN ('waiting', 'uploaded', 'delivered', 'expired', 'cancelled')),\n  code_hash TEXT,\n  expires_at INTEGER NOT NULL,\n  created_at INTEGER NOT NULL,\n  ended_at INTEGER,\n  change_id TEXT,\n  CHECK ((ended_at IS NULL) = (state IN ('waiting', 'uploaded'))),\n  CHECK ((code_hash IS NULL) = (ended_at IS NOT NULL))\n) STRICT",
      "CREATE UNIQUE INDEX relay_sessions_by_code ON relay_sessions (code_hash) WHERE code_hash IS NOT NULL",
      "CREATE INDEX relay_sessions_live ON relay_sessions (expires_at) WHERE ended_at IS NULL",
      "CREATE INDEX relay_sessions_live_of ON relay_sessions (ws) WHERE ended_at IS NULL",
      "CREATE INDEX relay_sessions_ended ON relay_sessions (ended_at) WHERE ended_at IS NOT NULL",
      "CREATE TABLE relay_material (\n  id TEXT PRIMARY KEY,\n  material BLOB NOT NULL\n) STRICT",
      "CREATE TRIGGER relay_sessions_ended_holds_nothing AFTER UPDATE ON relay_sessions\nWHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL\nBEGIN\n  UPDATE relay_material SET material = zeroblob(length(material)) WHERE id = NEW.id;\nEND",
      "CREATE TRIGGER relay_sessions_ended_is_final BEFORE UPDATE ON relay_sessions\nWHEN OLD.ended_at IS NOT NULL AND NEW.change_id IS NOT OLD.change_id\nBEGIN\n  SELECT RAISE(ABORT, 'an ended relay session never changes');\nEND"
    ]
  },
  {
    "version": 7,
    "name": "billing",
    "statements": [
      "CREATE TABLE credit_entries (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  id TEXT NOT NULL,\n  kind TEXT NOT NULL CHECK (kind IN ('opening', 'credit', 'charge')),\n  amount_won INTEGER NOT NULL CHECK (kind <> 'charge' OR amount_won <= 0),\n  note TEXT,\n  route TEXT,\n  api_key_id TEXT,\n  request_id TEXT,\n  created_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, id),\n  CHECK ((kind = 'charge') = (route IS NOT NULL AND request_id IS NOT NULL))\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX credit_entries_by_amount ON credit_entries (ws, amount_won)",
      "CREATE TRIGGER credit_entries_are_final BEFORE UPDATE ON credit_entries\nBEGIN\n  SELECT RAISE(ABORT, 'an entry of credit never changes');\nEND",
      "ALTER TABLE workspaces ADD COLUMN suspended_at INTEGER",
      "INSERT INTO credit_entries (ws, id, kind, amount_won, created_at)\nSELECT id, '00000000-0000-7000-8000-000000000000', 'opening', 100000, created_at FROM workspaces WHERE id = 'default'"
    ]
  },
  {
    "version": 8,
    "name": "attempts",
    "statements": [
      "CREATE TABLE job_attempts (\n  job_id TEXT NOT NULL,\n  attempt INTEGER NOT NULL,\n  outcome TEXT NOT NULL CHECK (outcome IN ('failure', 'worker_lost', 'handed_back')),\n  worker TEXT,\n  started_at INTEGER NOT NULL,\n  ended_at INTEGER NOT NULL,\n  error TEXT,\n  PRIMARY KEY (job_id, attempt)\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 9,
    "name": "redeploy",
    "statements": [
      "ALTER TABLE deployments ADD COLUMN redeployed_from TEXT",
      "ALTER TABLE deployments ADD COLUMN functions TEXT",
      "CREATE TABLE function_versions (\n  name TEXT NOT NULL,\n  hash TEXT NOT NULL,\n  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),\n  definition TEXT NOT NULL,\n  files TEXT NOT NULL,\n  entrypoint TEXT NOT NULL,\n  PRIMARY KEY (name, hash)\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 10,
    "name": "placement",
    "statements": [
      "ALTER TABLE workspaces ADD COLUMN allowed_tags TEXT",
      "ALTER TABLE jobs ADD COLUMN min_level INTEGER NOT NULL DEFAULT 0"
    ]
  },
  {
    "version": 11,
    "name": "host-proofs",
    "statements": [
      "CREATE TABLE app_host_claims (\n  host TEXT NOT NULL,\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  txt_value TEXT NOT NULL,\n  proof TEXT CHECK (proof IN ('dns', 'operator', 'upgrade')),\n  created_at INTEGER NOT NULL,\n  PRIMARY KEY (host, ws, app)\n) STRICT, WITHOUT ROWID",
      "CREATE UNIQUE INDEX app_host_claims_active ON app_host_claims (host) WHERE proof IS NOT NULL",
      "CREATE INDEX app_host_claims_by_app ON app_host_claims (ws, app)",
      "INSERT INTO app_host_claims (host, ws, app, txt_value, proof, created_at)\nSELECT host, ws, app, 'svc-verify=' || lower(hex(randomblob(16))), 'upgrade',\n  CAST(unixepoch('subsec') * 1000 AS INTEGER)\nFROM app_hosts",
      "DROP TABLE app_hosts"
    ]
  },
  {
    "version": 12,
    "name": "first-functions",
    "statements": [
      "ALTER TABLE apps ADD COLUMN functions_since INTEGER",
      "UPDATE apps SET functions_since =\n  (SELECT min(f.deployed_at) FROM app_functions f WHERE f.ws = apps.ws AND f.app = apps.key)",
      "CREATE TRIGGER apps_have_functions_since AFTER INSERT ON app_functions\nBEGIN\n  UPDATE apps SET functions_since = NEW.deployed_at\n  WHERE ws = NEW.ws AND key = NEW.app AND functions_since IS NULL;\nEND",
      "CREATE TRIGGER apps_have_no_functions AFTER DELETE ON app_functions\nBEGIN\n  UPDATE apps SET functions_since = NULL\n  WHERE ws = OLD.ws AND key = OLD.app\n    AND NOT EXISTS (SELECT 1 FROM app_functions f WHERE f.ws = OLD.ws AND f.app = OLD.app);\nEND"
    ]
  },
  {
    "version": 13,
    "name": "membership-consent",
    "statements": [
      "ALTER TABLE users ADD COLUMN invite_ws TEXT",
      "ALTER TABLE members ADD COLUMN invite_id TEXT",
      "UPDATE users SET invite_ws = (\n  SELECT i.ws FROM invites i\n  WHERE i.email = users.email AND i.accepted_at BETWEEN users.created_at - 5000 AND users.created_at + 5000\n  ORDER BY i.accepted_at LIMIT 1\n)",
      "UPDATE tokens SET expires_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 7776000000\nWHERE label = 'svc login' AND scopes = '[\"*\"]' AND admin = 1 AND expires_at IS NULL AND revoked_at IS NULL"
    ]
  },
  {
    "version": 14,
    "name": "flow-limits",
    "statements": [
      "ALTER TABLE flow_runs ADD COLUMN result_bytes INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE flow_runs ADD COLUMN slot_bytes INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE flow_runs ADD COLUMN awaits_room INTEGER NOT NULL DEFAULT 0",
      "CREATE INDEX flow_runs_awaiting_room ON flow_runs (ws, id) WHERE awaits_room = 1",
      "ALTER TABLE flow_steps ADD COLUMN frame TEXT",
      "ALTER TABLE flow_slots ADD COLUMN is_item INTEGER NOT NULL DEFAULT 0",
      "UPDATE flow_runs SET\n  result_bytes = (SELECT COALESCE(SUM(LENGTH(s.result)), 0) * 3 / 4 FROM flow_steps s WHERE s.run_id = flow_runs.id),\n  slot_bytes = (SELECT COALESCE(SUM(LENGTH(j.result)), 0) * 3 / 4 FROM jobs j INDEXED BY jobs_by_flow\n    WHERE j.flow_run_id = flow_runs.id AND j.flow_index = flow_runs.step_index AND j.status = 'success')\nWHERE completed_at IS NULL"
    ]
  },
  {
    "version": 15,
    "name": "app-state",
    "statements": [
      "ALTER TABLE app_state ADD COLUMN version TEXT NOT NULL DEFAULT '0'",
      "CREATE INDEX app_state_keys ON app_state (ws, app, key)"
    ]
  },
  {
    "version": 16,
    "name": "fair-queue",
    "statements": [
      "ALTER TABLE workspaces ADD COLUMN max_running INTEGER CHECK (max_running >= 0)",
      "ALTER TABLE jobs ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1))",
      "DROP INDEX jobs_ready",
      "DROP INDEX jobs_ready_keyed",
      "DROP INDEX jobs_running_keyed",
      "CREATE INDEX jobs_ready ON jobs (tag, min_level, ws, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND blocked = 0",
      "CREATE INDEX jobs_blocked ON jobs (concurrency_key, tag, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND blocked = 1",
      "CREATE INDEX jobs_running ON jobs (ws, concurrency_key) WHERE status = 'running'",
      "CREATE TRIGGER jobs_unblock AFTER UPDATE OF status, ready, tag ON jobs\nWHEN OLD.concurrency_key IS NOT NULL AND NEW.blocked = 0 AND NEW.status <> 'running' AND (\n  OLD.status = 'running'\n  OR (OLD.status = 'queued' AND OLD.ready = 1 AND OLD.blocked = 0\n    AND (NEW.status <> 'queued' OR NEW.ready = 0 OR NEW.tag <> OLD.tag)))\nBEGIN\n  UPDATE jobs SET blocked = 0 WHERE ws = OLD.ws AND id IN (\n    WITH RECURSIVE tags (tag) AS (\n      SELECT min(tag) FROM jobs\n      WHERE concurrency_key = OLD.concurrency_key AND status = 'queued' AND ready = 1 AND blocked = 1\n      UNION ALL\n      SELECT (SELECT min(j.tag) FROM jobs j\n        WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n          AND j.tag > tags.tag)\n      FROM tags WHERE tags.tag IS NOT NULL\n    )\n    SELECT h.id FROM tags CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (\n      SELECT j.id FROM jobs j\n      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n        AND j.tag = tags.tag\n      ORDER BY j.priority DESC, j.run_at, j.id\n      LIMIT max(1, OLD.concurrency_limit - (\n        SELECT count(*) FROM jobs r\n        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))\n  );\nEND"
    ]
  },
  {
    "version": 17,
    "name": "room-and-clock",
    "statements": [
      "ALTER TABLE schedules ADD COLUMN waiting_since INTEGER",
      "DROP INDEX schedules_due",
      "CREATE INDEX schedules_due ON schedules (next_fire_at) WHERE enabled = 1 AND waiting_since IS NULL",
      "CREATE INDEX schedules_waiting ON schedules (ws, next_fire_at) WHERE enabled = 1 AND waiting_since IS NOT NULL",
      "CREATE TABLE clock_jumps (\n  epoch INTEGER PRIMARY KEY,\n  id TEXT NOT NULL,\n  at INTEGER NOT NULL,\n  by_ms INTEGER NOT NULL,\n  node TEXT NOT NULL,\n  leases INTEGER NOT NULL DEFAULT 0,\n  schedules INTEGER NOT NULL DEFAULT 0\n) STRICT"
    ]
  },
  {
    "version": 18,
    "name": "sources",
    "statements": [
      "CREATE TABLE source_files (\n  hash TEXT PRIMARY KEY,\n  content BLOB NOT NULL\n) STRICT",
      "CREATE TABLE deployment_files (\n  deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,\n  path TEXT NOT NULL,\n  hash TEXT NOT NULL REFERENCES source_files (hash),\n  bytes INTEGER NOT NULL,\n  PRIMARY KEY (deployment_id, path)\n) STRICT, WITHOUT ROWID",
      "ALTER TABLE app_functions ADD COLUMN shared TEXT NOT NULL DEFAULT '{}'",
      "ALTER TABLE function_versions ADD COLUMN shared TEXT NOT NULL DEFAULT '{}'",
      "ALTER TABLE drafts ADD COLUMN carried TEXT NOT NULL DEFAULT '{}'"
    ]
  },
  {
    "version": 19,
    "name": "schedule-targets",
    "statements": [
      "ALTER TABLE schedules ADD COLUMN target_gone INTEGER NOT NULL DEFAULT 0 CHECK (target_gone IN (0, 1))",
      "UPDATE schedules SET target_gone = 1 WHERE enabled = 0 AND disabled_reason LIKE 'The % no longer exists.'",
      "CREATE INDEX schedules_without_target ON schedules (ws, app) WHERE target_gone = 1"
    ]
  },
  {
    "version": 20,
    "name": "queue-counts",
    "statements": [
      "CREATE TABLE queue_counts (\n  ws TEXT NOT NULL,\n  tag TEXT NOT NULL,\n  app TEXT NOT NULL,\n  ready INTEGER NOT NULL,\n  n INTEGER NOT NULL,\n  PRIMARY KEY (ws, tag, app, ready)\n) STRICT, WITHOUT ROWID",
      "INSERT INTO queue_counts (ws, tag, app, ready, n)\nSELECT ws, tag, app, ready, count(*) FROM jobs INDEXED BY jobs_open\nWHERE completed_at IS NULL AND status = 'queued' GROUP BY ws, tag, app, ready",
      "CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER queue_counts_leave AFTER UPDATE OF status, ready, tag ON jobs\nWHEN OLD.status = 'queued' AND (NEW.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)\nBEGIN\n  UPDATE queue_counts SET n = n - 1\n  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;\nEND",
      "CREATE TRIGGER queue_counts_enter AFTER UPDATE OF status, ready, tag ON jobs\nWHEN NEW.status = 'queued' AND (OLD.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER queue_counts_delete AFTER DELETE ON jobs WHEN OLD.status = 'queued'\nBEGIN\n  UPDATE queue_counts SET n = n - 1\n  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;\nEND",
      "CREATE INDEX jobs_due ON jobs (ws, tag, run_at) WHERE status = 'queued' AND ready = 1"
    ]
  },
  {
    "version": 21,
    "name": "trigger-kinds",
    "statements": [
      "CREATE TABLE jobs_rebuilt (\n  ws TEXT NOT NULL,\n  id TEXT NOT NULL,\n  app TEXT NOT NULL,\n  action TEXT NOT NULL,\n  deployment_id TEXT NOT NULL,\n  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'success', 'failure', 'canceled')),\n  tag TEXT NOT NULL,\n  priority INTEGER NOT NULL DEFAULT 0,\n  ready INTEGER NOT NULL DEFAULT 1 CHECK (ready IN (0, 1)),\n  blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),\n  run_at INTEGER NOT NULL,\n  concurrency_key TEXT,\n  concurrency_limit INTEGER,\n  min_level INTEGER NOT NULL DEFAULT 0,\n  attempt INTEGER NOT NULL DEFAULT 0,\n  max_attempts INTEGER NOT NULL DEFAULT 1,\n  crash_count INTEGER NOT NULL DEFAULT 0,\n  crash_limit INTEGER NOT NULL,\n  failure_count INTEGER NOT NULL DEFAULT 0,\n  claim_id TEXT,\n  lease_until INTEGER,\n  cancel_reason TEXT,\n  cancel_by TEXT,\n  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN\n    ('api', 'webhook', 'schedule', 'job', 'function', 'event', 'public', 'flow', 'error_handler')),\n  created_by TEXT NOT NULL,\n  permissioned_as TEXT NOT NULL,\n  customer_id TEXT,\n  chain_depth INTEGER NOT NULL DEFAULT 0,\n  holds_apps_write INTEGER NOT NULL DEFAULT 0 CHECK (holds_apps_write IN (0, 1)),\n  flow_run_id TEXT,\n  flow_step TEXT,\n  flow_index INTEGER,\n  flow_slot INTEGER,\n  flow_attempt INTEGER,\n  worker TEXT,\n  created_at INTEGER NOT NULL,\n  started_at INTEGER,\n  completed_at INTEGER,\n  result TEXT,\n  PRIMARY KEY (ws, id),\n  CHECK ((completed_at IS NULL) = (status IN ('queued', 'running'))),\n  CHECK ((lease_until IS NULL) = (status <> 'running')),\n  CHECK ((concurrency_key IS NULL) = (concurrency_limit IS NULL))\n) STRICT, WITHOUT ROWID",
      "INSERT INTO jobs_rebuilt (ws, id, app, action, deployment_id, status, tag, priority, ready, blocked, run_at, concurrency_key,\n  concurrency_limit, min_level, attempt, max_attempts, crash_count, crash_limit, failure_count, claim_id, lease_until,\n  cancel_reason, cancel_by, trigger_kind, created_by, permissioned_as, customer_id, flow_run_id, flow_step, flow_index,\n  flow_slot, flow_attempt, worker, created_at, started_at, completed_at, result)\nSELECT ws, id, app, action, deployment_id, status, tag, priority, ready, blocked, run_at, concurrency_key,\n  concurrency_limit, min_level, attempt, max_attempts, crash_count, crash_limit, failure_count, claim_id, lease_until,\n  cancel_reason, cancel_by,\n  CASE WHEN created_by GLOB 'error_handler:*' THEN 'error_handler' ELSE trigger_kind END,\n  created_by, permissioned_as, customer_id, flow_run_id, flow_step, flow_index,\n  flow_slot, flow_attempt, worker, created_at, started_at, completed_at, result\nFROM jobs ORDER BY ws, id",
      "DROP TABLE jobs",
      "ALTER TABLE jobs_rebuilt RENAME TO jobs",
      "CREATE INDEX jobs_ready ON jobs (tag, min_level, ws, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND blocked = 0",
      "CREATE INDEX jobs_blocked ON jobs (concurrency_key, tag, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND blocked = 1",
      "CREATE INDEX jobs_running ON jobs (ws, concurrency_key) WHERE status = 'running'",
      "CREATE INDEX jobs_delayed ON jobs (run_at) WHERE status = 'queued' AND ready = 0",
      "CREATE INDEX jobs_due ON jobs (ws, tag, run_at) WHERE status = 'queued' AND ready = 1",
      "CREATE INDEX jobs_leased ON jobs (lease_until) WHERE status = 'running'",
      "CREATE INDEX jobs_open ON jobs (ws, id) WHERE completed_at IS NULL",
      "CREATE INDEX jobs_unsuccessful ON jobs (ws, id) WHERE status IN ('failure', 'canceled')",
      "CREATE INDEX jobs_by_app ON jobs (ws, app, id)",
      "CREATE INDEX jobs_by_flow ON jobs (flow_run_id, flow_index, flow_slot) WHERE flow_run_id IS NOT NULL",
      "CREATE INDEX jobs_by_flow_open ON jobs (flow_run_id, flow_index) WHERE flow_run_id IS NOT NULL AND completed_at IS NULL",
      "CREATE UNIQUE INDEX jobs_error_handler ON jobs (created_by) WHERE created_by GLOB 'error_handler:*'",
      "CREATE TRIGGER jobs_terminal_is_final BEFORE UPDATE ON jobs\nWHEN OLD.completed_at IS NOT NULL\nBEGIN\n  SELECT RAISE(ABORT, 'a finished job never changes');\nEND",
      "CREATE TRIGGER jobs_unblock AFTER UPDATE OF status, ready, tag ON jobs\nWHEN OLD.concurrency_key IS NOT NULL AND NEW.blocked = 0 AND NEW.status <> 'running' AND (\n  OLD.status = 'running'\n  OR (OLD.status = 'queued' AND OLD.ready = 1 AND OLD.blocked = 0\n    AND (NEW.status <> 'queued' OR NEW.ready = 0 OR NEW.tag <> OLD.tag)))\nBEGIN\n  UPDATE jobs SET blocked = 0 WHERE ws = OLD.ws AND id IN (\n    WITH RECURSIVE tags (tag) AS (\n      SELECT min(tag) FROM jobs\n      WHERE concurrency_key = OLD.concurrency_key AND status = 'queued' AND ready = 1 AND blocked = 1\n      UNION ALL\n      SELECT (SELECT min(j.tag) FROM jobs j\n        WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n          AND j.tag > tags.tag)\n      FROM tags WHERE tags.tag IS NOT NULL\n    )\n    SELECT h.id FROM tags CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (\n      SELECT j.id FROM jobs j\n      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n        AND j.tag = tags.tag\n      ORDER BY j.priority DESC, j.run_at, j.id\n      LIMIT max(1, OLD.concurrency_limit - (\n        SELECT count(*) FROM jobs r\n        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))\n  );\nEND",
      "CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER queue_counts_leave AFTER UPDATE OF status, ready, tag ON jobs\nWHEN OLD.status = 'queued' AND (NEW.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)\nBEGIN\n  UPDATE queue_counts SET n = n - 1\n  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;\nEND",
      "CREATE TRIGGER queue_counts_enter AFTER UPDATE OF status, ready, tag ON jobs\nWHEN NEW.status = 'queued' AND (OLD.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER queue_counts_delete AFTER DELETE ON jobs WHEN OLD.status = 'queued'\nBEGIN\n  UPDATE queue_counts SET n = n - 1\n  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;\nEND",
      "CREATE TABLE flow_runs_rebuilt (\n  ws TEXT NOT NULL,\n  id TEXT NOT NULL,\n  app TEXT NOT NULL,\n  flow TEXT NOT NULL,\n  deployment_id TEXT NOT NULL,\n  status TEXT NOT NULL CHECK (status IN ('running', 'waiting_approval', 'completed', 'failed', 'canceled')),\n  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN\n    ('api', 'webhook', 'schedule', 'public', 'subflow', 'job', 'function', 'event')),\n  trigger TEXT,\n  input TEXT NOT NULL,\n  result TEXT,\n  error TEXT,\n  failure TEXT,\n  created_by TEXT NOT NULL,\n  permissioned_as TEXT NOT NULL,\n  chain_depth INTEGER NOT NULL DEFAULT 0,\n  holds_apps_write INTEGER NOT NULL DEFAULT 0 CHECK (holds_apps_write IN (0, 1)),\n  parent_run_id TEXT,\n  parent_index INTEGER,\n  depth INTEGER NOT NULL DEFAULT 0,\n  restarted_from TEXT,\n  step_index INTEGER NOT NULL,\n  version INTEGER NOT NULL DEFAULT 1,\n  transition TEXT NOT NULL,\n  wait_until INTEGER,\n  result_bytes INTEGER NOT NULL DEFAULT 0,\n  slot_bytes INTEGER NOT NULL DEFAULT 0,\n  awaits_room INTEGER NOT NULL DEFAULT 0,\n  created_at INTEGER NOT NULL,\n  completed_at INTEGER,\n  PRIMARY KEY (ws, id),\n  CHECK ((completed_at IS NULL) = (status IN ('running', 'waiting_approval'))),\n  CHECK ((parent_run_id IS NULL) = (parent_index IS NULL))\n) STRICT, WITHOUT ROWID",
      "INSERT INTO flow_runs_rebuilt (ws, id, app, flow, deployment_id, status, trigger_kind, trigger, input, result, error, failure,\n  created_by, permissioned_as, parent_run_id, parent_index, depth, restarted_from, step_index, version, transition,\n  wait_until, result_bytes, slot_bytes, awaits_room, created_at, completed_at)\nSELECT ws, id, app, flow, deployment_id, status, trigger_kind, trigger, input, result, error, failure,\n  created_by, permissioned_as, parent_run_id, parent_index, depth, restarted_from, step_index, version, transition,\n  wait_until, result_bytes, slot_bytes, awaits_room, created_at, completed_at\nFROM flow_runs ORDER BY ws, id",
      "DROP TABLE flow_runs",
      "ALTER TABLE flow_runs_rebuilt RENAME TO flow_runs",
      "CREATE INDEX flow_runs_by_flow ON flow_runs (ws, app, flow, id)",
      "CREATE INDEX flow_runs_open ON flow_runs (ws, id) WHERE completed_at IS NULL",
      "CREATE INDEX flow_runs_waiting ON flow_runs (ws, id) WHERE status = 'waiting_approval'",
      "CREATE INDEX flow_runs_by_deadline ON flow_runs (wait_until) WHERE wait_until IS NOT NULL",
      "CREATE INDEX flow_runs_ended ON flow_runs (completed_at) WHERE completed_at IS NOT NULL",
      "CREATE INDEX flow_runs_by_parent ON flow_runs (parent_run_id, parent_index) WHERE parent_run_id IS NOT NULL",
      "CREATE INDEX flow_runs_awaiting_room ON flow_runs (ws, id) WHERE awaits_room = 1",
      "CREATE TRIGGER flow_runs_terminal_is_final BEFORE UPDATE ON flow_runs\nWHEN OLD.completed_at IS NOT NULL\nBEGIN\n  SELECT RAISE(ABORT, 'a finished flow run never changes');\nEND",
      "CREATE TABLE job_starts (\n  job_id TEXT NOT NULL,\n  key TEXT NOT NULL,\n  target TEXT NOT NULL,\n  started_id TEXT NOT NULL,\n  PRIMARY KEY (job_id, key)\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 22,
    "name": "webhook-deliveries",
    "statements": [
      "CREATE TABLE webhook_deliveries (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  webhook TEXT NOT NULL,\n  id TEXT NOT NULL,\n  received_at INTEGER NOT NULL,\n  status INTEGER NOT NULL,\n  reason TEXT,\n  job_id TEXT,\n  flow_run_id TEXT,\n  bytes INTEGER NOT NULL,\n  PRIMARY KEY (ws, app, webhook, id)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (received_at)"
    ]
  },
  {
    "version": 23,
    "name": "managed-schedules",
    "statements": [
      "ALTER TABLE schedules ADD COLUMN managed_key TEXT",
      "ALTER TABLE schedules ADD COLUMN manifest_enabled INTEGER CHECK (manifest_enabled IN (0, 1))",
      "CREATE UNIQUE INDEX schedules_by_managed_key ON schedules (ws, app, managed_key) WHERE managed_key IS NOT NULL"
    ]
  },
  {
    "version": 24,
    "name": "egress-allow",
    "statements": [
      "ALTER TABLE workspaces ADD COLUMN egress_allow TEXT"
    ]
  },
  {
    "version": 25,
    "name": "durable-steps",
    "statements": [
      "ALTER TABLE jobs ADD COLUMN suspended_kind TEXT CHECK (suspended_kind IN ('sleep', 'event', 'job'))",
      "ALTER TABLE jobs ADD COLUMN suspended_name TEXT",
      "ALTER TABLE jobs ADD COLUMN suspended_until INTEGER",
      "ALTER TABLE jobs ADD COLUMN began_at INTEGER",
      "ALTER TABLE jobs ADD COLUMN called_by TEXT",
      "ALTER TABLE jobs ADD COLUMN called_step TEXT",
      "CREATE INDEX jobs_suspended ON jobs (ws, id) WHERE status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL",
      "CREATE INDEX jobs_by_caller ON jobs (called_by) WHERE called_by IS NOT NULL",
      "CREATE TABLE job_steps (\n  job_id TEXT NOT NULL,\n  name TEXT NOT NULL,\n  position INTEGER NOT NULL,\n  kind TEXT NOT NULL CHECK (kind IN ('step', 'sleep', 'event', 'job')),\n  status TEXT NOT NULL CHECK (status IN ('running', 'success', 'failure')),\n  attempts INTEGER NOT NULL DEFAULT 1,\n  caught INTEGER NOT NULL DEFAULT 0 CHECK (caught IN (0, 1, 2)),\n  started_at INTEGER NOT NULL,\n  completed_at INTEGER,\n  due_at INTEGER,\n  child_id TEXT,\n  error TEXT,\n  result TEXT,\n  PRIMARY KEY (job_id, name),\n  CHECK ((completed_at IS NULL) = (status = 'running'))\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX job_steps_by_position ON job_steps (job_id, position, name)",
      "CREATE TABLE job_history (\n  job_id TEXT NOT NULL,\n  first INTEGER NOT NULL,\n  entries TEXT NOT NULL,\n  PRIMARY KEY (job_id, first)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE event_waits (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL,\n  name TEXT NOT NULL,\n  key TEXT,\n  owner_kind TEXT NOT NULL CHECK (owner_kind IN ('job', 'flow')),\n  owner_id TEXT NOT NULL,\n  step TEXT NOT NULL,\n  position INTEGER NOT NULL,\n  began_at INTEGER NOT NULL,\n  timeout_at INTEGER,\n  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'received', 'timed_out', 'canceled')),\n  event_id TEXT,\n  created_at INTEGER NOT NULL,\n  ended_at INTEGER,\n  CHECK ((ended_at IS NULL) = (status = 'open')),\n  CHECK ((event_id IS NOT NULL) = (status = 'received'))\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX event_waits_open ON event_waits (ws, name, key, id) WHERE status = 'open'",
      "CREATE INDEX event_waits_by_owner ON event_waits (owner_id, event_id)",
      "CREATE INDEX event_waits_due ON event_waits (timeout_at) WHERE status = 'open' AND owner_kind = 'flow' AND timeout_at IS NOT NULL",
      "DROP TRIGGER queue_counts_insert",
      "DROP TRIGGER queue_counts_leave",
      "DROP TRIGGER queue_counts_enter",
      "DROP TRIGGER queue_counts_delete",
      "CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER queue_counts_leave AFTER UPDATE OF status, ready, tag ON jobs\nWHEN OLD.status = 'queued' AND (NEW.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)\nBEGIN\n  UPDATE queue_counts SET n = n - 1\n  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app\n    AND ready = CASE WHEN OLD.ready = 0 AND OLD.suspended_kind IS NOT NULL THEN 2 ELSE OLD.ready END;\nEND",
      "CREATE TRIGGER queue_counts_enter AFTER UPDATE OF status, ready, tag ON jobs\nWHEN NEW.status = 'queued' AND (OLD.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app,\n    CASE WHEN NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL THEN 2 ELSE NEW.ready END, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER queue_counts_delete AFTER DELETE ON jobs WHEN OLD.status = 'queued'\nBEGIN\n  UPDATE queue_counts SET n = n - 1\n  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app\n    AND ready = CASE WHEN OLD.ready = 0 AND OLD.suspended_kind IS NOT NULL THEN 2 ELSE OLD.ready END;\nEND",
      "CREATE TRIGGER jobs_call_ended AFTER UPDATE OF status ON jobs\nWHEN NEW.called_by IS NOT NULL AND NEW.completed_at IS NOT NULL\nBEGIN\n  UPDATE job_steps SET status = CASE NEW.status WHEN 'success' THEN 'success' ELSE 'failure' END,\n    completed_at = NEW.completed_at,\n    caught = CASE NEW.status WHEN 'success' THEN 0 ELSE 2 END,\n    result = CASE NEW.status WHEN 'success' THEN NEW.result END,\n    error = CASE NEW.status WHEN 'success' THEN NULL ELSE NEW.result END\n  WHERE job_id = NEW.called_by AND name = NEW.called_step AND child_id = NEW.id AND status = 'running';\n  UPDATE jobs SET ready = 1, blocked = 0, run_at = NEW.completed_at\n  WHERE ws = NEW.ws AND id = NEW.called_by AND status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL;\nEND",
      "CREATE TRIGGER jobs_waits_ended AFTER UPDATE OF status ON jobs\nWHEN NEW.began_at IS NOT NULL AND NEW.completed_at IS NOT NULL\nBEGIN\n  UPDATE event_waits SET status = 'canceled', ended_at = NEW.completed_at WHERE owner_id = NEW.id AND status = 'open';\nEND"
    ]
  },
  {
    "version": 26,
    "name": "operations",
    "statements": [
      "ALTER TABLE jobs ADD COLUMN replay_of TEXT",
      "CREATE TABLE operations (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  kind TEXT NOT NULL CHECK (kind IN ('cancel', 'replay')),\n  status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed')),\n  matched INTEGER NOT NULL,\n  done INTEGER NOT NULL DEFAULT 0,\n  failed INTEGER NOT NULL DEFAULT 0,\n  filter TEXT NOT NULL,\n  created_by TEXT NOT NULL,\n  holds_apps_write INTEGER NOT NULL CHECK (holds_apps_write IN (0, 1)),\n  created_at INTEGER NOT NULL,\n  completed_at INTEGER,\n  CHECK ((completed_at IS NULL) = (status = 'running'))\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX operations_by_workspace ON operations (ws, id)",
      "CREATE INDEX operations_running ON operations (id) WHERE status = 'running'",
      "CREATE INDEX operations_ended ON operations (completed_at) WHERE status <> 'running'",
      "CREATE TABLE operation_jobs (\n  operation_id TEXT NOT NULL REFERENCES operations (id),\n  job_id TEXT NOT NULL,\n  PRIMARY KEY (operation_id, job_id)\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 27,
    "name": "undo",
    "statements": [
      "ALTER TABLE flow_steps ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 0"
    ]
  },
  {
    "version": 28,
    "name": "flow-waits",
    "statements": [
      "ALTER TABLE flow_runs ADD COLUMN remind_at INTEGER",
      "CREATE INDEX flow_runs_by_reminder ON flow_runs (remind_at) WHERE remind_at IS NOT NULL"
    ]
  },
  {
    "version": 29,
    "name": "flow-items",
    "statements": [
      "ALTER TABLE flow_runs ADD COLUMN parent_slot INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE flow_slots ADD COLUMN error TEXT"
    ]
  },
  {
    "version": 30,
    "name": "notifications",
    "statements": [
      "ALTER TABLE workspaces ADD COLUMN notify TEXT",
      "CREATE TABLE notifications (\n  ws TEXT NOT NULL,\n  id TEXT NOT NULL,\n  event TEXT NOT NULL CHECK (event IN\n    ('job_failed', 'flow_failed', 'schedule_disabled', 'approval_waiting', 'test')),\n  subject TEXT NOT NULL,\n  step_index INTEGER,\n  target TEXT NOT NULL,\n  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),\n  attempts INTEGER NOT NULL DEFAULT 0,\n  next_at INTEGER,\n  created_at INTEGER NOT NULL,\n  ended_at INTEGER,\n  last_status INTEGER,\n  last_error TEXT,\n  PRIMARY KEY (ws, id),\n  CHECK ((next_at IS NULL) = (status <> 'pending')),\n  CHECK ((ended_at IS NULL) = (status = 'pending'))\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX notifications_due ON notifications (next_at) WHERE next_at IS NOT NULL",
      "CREATE INDEX notifications_by_time ON notifications (ws, created_at, id)",
      "CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL",
      "CREATE TRIGGER notify_job_failed AFTER UPDATE OF status ON jobs\nWHEN NEW.status = 'failure' AND OLD.status <> 'failure' AND NEW.flow_run_id IS NULL\nBEGIN\n  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)\n  SELECT w.id, 'job_failed:' || NEW.id || ':' || rule.key, 'job_failed', NEW.id, rule.value ->> '$.to',\n    NEW.completed_at, NEW.completed_at\n  FROM workspaces w, json_each(w.notify) rule\n  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'job_failed')\n  ON CONFLICT DO NOTHING;\nEND",
      "CREATE TRIGGER notify_flow_failed AFTER UPDATE OF status ON flow_runs\nWHEN NEW.status = 'failed' AND OLD.status <> 'failed' AND NEW.parent_run_id IS NULL\nBEGIN\n  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)\n  SELECT w.id, 'flow_failed:' || NEW.id || ':' || rule.key, 'flow_failed', NEW.id, rule.value ->> '$.to',\n    NEW.completed_at, NEW.completed_at\n  FROM workspaces w, json_each(w.notify) rule\n  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'flow_failed')\n  ON CONFLICT DO NOTHING;\nEND",
      "CREATE TRIGGER notify_flow_failed_at_start AFTER INSERT ON flow_runs\nWHEN NEW.status = 'failed' AND NEW.parent_run_id IS NULL\nBEGIN\n  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)\n  SELECT w.id, 'flow_failed:' || NEW.id || ':' || rule.key, 'flow_failed', NEW.id, rule.value ->> '$.to',\n    NEW.completed_at, NEW.completed_at\n  FROM workspaces w, json_each(w.notify) rule\n  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'flow_failed')\n  ON CONFLICT DO NOTHING;\nEND",
      "CREATE TRIGGER notify_approval_waiting AFTER UPDATE OF status, step_index ON flow_runs\nWHEN NEW.status = 'waiting_approval' AND (OLD.status <> 'waiting_approval' OR OLD.step_index <> NEW.step_index)\nBEGIN\n  INSERT INTO notifications (ws, id, event, subject, step_index, target, next_at, created_at)\n  SELECT w.id, 'approval_waiting:' || NEW.id || '/' || NEW.step_index || ':' || rule.key, 'approval_waiting', NEW.id,\n    NEW.step_index, rule.value ->> '$.to', now.ms, now.ms\n  FROM workspaces w, json_each(w.notify) rule, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS ms) now\n  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'approval_waiting')\n  ON CONFLICT DO NOTHING;\nEND",
      "CREATE TRIGGER notify_approval_waiting_at_start AFTER INSERT ON flow_runs\nWHEN NEW.status = 'waiting_approval'\nBEGIN\n  INSERT INTO notifications (ws, id, event, subject, step_index, target, next_at, created_at)\n  SELECT w.id, 'approval_waiting:' || NEW.id || '/' || NEW.step_index || ':' || rule.key, 'approval_waiting', NEW.id,\n    NEW.step_index, rule.value ->> '$.to', NEW.created_at, NEW.created_at\n  FROM workspaces w, json_each(w.notify) rule\n  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'approval_waiting')\n  ON CONFLICT DO NOTHING;\nEND",
      "CREATE TRIGGER notify_schedule_disabled AFTER UPDATE OF disabled_reason ON schedules\nWHEN NEW.disabled_reason IS NOT NULL AND OLD.disabled_reason IS NULL\nBEGIN\n  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)\n  SELECT w.id, 'schedule_disabled:' || NEW.id || '/' || NEW.version || ':' || rule.key, 'schedule_disabled', NEW.id,\n    rule.value ->> '$.to', now.ms, now.ms\n  FROM workspaces w, json_each(w.notify) rule, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS ms) now\n  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'schedule_disabled')\n  ON CONFLICT DO NOTHING;\nEND"
    ]
  },
  {
    "version": 31,
    "name": "oidc",
    "statements": [
      "CREATE TABLE oidc_identities (\n  issuer TEXT NOT NULL,\n  subject TEXT NOT NULL,\n  email TEXT NOT NULL,\n  created_at INTEGER NOT NULL,\n  PRIMARY KEY (issuer, subject)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX oidc_identities_by_email ON oidc_identities (email)",
      "CREATE TABLE oidc_states (\n  hash TEXT NOT NULL PRIMARY KEY,\n  expires_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX oidc_states_by_expiry ON oidc_states (expires_at)",
      "CREATE TABLE oidc_links (\n  hash TEXT NOT NULL PRIMARY KEY,\n  issuer TEXT NOT NULL,\n  subject TEXT NOT NULL,\n  email TEXT NOT NULL,\n  expires_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX oidc_links_by_expiry ON oidc_links (expires_at)",
      "CREATE TRIGGER oidc_identities_of_removed AFTER DELETE ON users\nBEGIN\n  DELETE FROM oidc_identities WHERE email = OLD.email;\n  DELETE FROM oidc_links WHERE email = OLD.email;\nEND"
    ]
  },
  {
    "version": 32,
    "name": "events",
    "statements": [
      "CREATE TABLE events (\n  ws TEXT NOT NULL,\n  id TEXT NOT NULL,\n  call TEXT NOT NULL,\n  name TEXT NOT NULL,\n  key TEXT,\n  data TEXT NOT NULL,\n  sent_by TEXT NOT NULL,\n  chain_depth INTEGER NOT NULL DEFAULT 0,\n  delivered INTEGER NOT NULL DEFAULT 0,\n  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending IN (0, 1)),\n  at INTEGER NOT NULL,\n  PRIMARY KEY (ws, id)\n) STRICT",
      "CREATE INDEX events_by_address ON events (ws, name, key, at, id)",
      "CREATE INDEX events_pending ON events (at) WHERE pending = 1",
      "CREATE INDEX events_by_age ON events (at)",
      "CREATE INDEX event_waits_by_event ON event_waits (event_id) WHERE event_id IS NOT NULL",
      "CREATE TRIGGER flow_runs_waits_ended AFTER UPDATE OF completed_at ON flow_runs\nWHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL\nBEGIN\n  UPDATE event_waits SET status = 'canceled', ended_at = NEW.completed_at WHERE owner_id = NEW.id AND status = 'open';\nEND"
    ]
  },
  {
    "version": 33,
    "name": "flow-control",
    "statements": [
      "ALTER TABLE jobs ADD COLUMN rate_key TEXT",
      "ALTER TABLE jobs ADD COLUMN rate_limit INTEGER",
      "ALTER TABLE jobs ADD COLUMN rate_ms INTEGER",
      "ALTER TABLE jobs ADD COLUMN paced INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE jobs ADD COLUMN debounce_key TEXT",
      "ALTER TABLE jobs ADD COLUMN debounce_until INTEGER",
      "ALTER TABLE jobs ADD COLUMN fair_group TEXT",
      "ALTER TABLE jobs ADD COLUMN fair_key TEXT",
      "ALTER TABLE jobs ADD COLUMN fair_turn INTEGER",
      "ALTER TABLE jobs ADD COLUMN progress_fraction REAL",
      "ALTER TABLE jobs ADD COLUMN progress_note TEXT",
      "CREATE INDEX jobs_paced ON jobs (rate_key, run_at) WHERE status = 'queued' AND paced = 1",
      "CREATE INDEX jobs_paced_next ON jobs (rate_key, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 0 AND paced = 1",
      "CREATE INDEX jobs_debounced ON jobs (debounce_key, id)\n  WHERE status = 'queued' AND attempt = 0 AND debounce_key IS NOT NULL",
      "CREATE INDEX jobs_fair ON jobs (fair_group, tag, min_level, priority DESC, fair_turn, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND blocked = 0 AND fair_group IS NOT NULL",
      "CREATE INDEX jobs_fair_keys ON jobs (fair_group, fair_key, fair_turn)\n  WHERE status = 'queued' AND fair_group IS NOT NULL",
      "CREATE TABLE rate_starts (\n  key TEXT NOT NULL,\n  seq INTEGER NOT NULL,\n  at INTEGER NOT NULL,\n  PRIMARY KEY (key, seq)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX rate_starts_by_age ON rate_starts (at)",
      "CREATE TABLE fair_turns (\n  fair_group TEXT PRIMARY KEY,\n  turn INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TRIGGER jobs_rate_start AFTER UPDATE OF status ON jobs\nWHEN NEW.rate_key IS NOT NULL AND NEW.status = 'running' AND OLD.status = 'queued' AND OLD.suspended_kind IS NULL\nBEGIN\n  INSERT INTO rate_starts (key, seq, at)\n  SELECT NEW.rate_key, COALESCE((SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key), 0) + 1, NEW.started_at;\n  DELETE FROM rate_starts WHERE key = NEW.rate_key\n    AND seq <= (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) - NEW.rate_limit;\n  UPDATE jobs SET run_at = next.allowed\n  FROM (SELECT COALESCE((SELECT at + NEW.rate_ms FROM rate_starts WHERE key = NEW.rate_key\n      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) + 1 - NEW.rate_limit), NEW.started_at) AS allowed,\n    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next\n      WHERE w.rate_key = NEW.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1\n      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next\n  WHERE jobs.ws = NEW.ws AND jobs.id = next.id AND jobs.run_at > next.allowed\n    AND NOT EXISTS (SELECT 1 FROM jobs q INDEXED BY jobs_paced\n      WHERE q.rate_key = NEW.rate_key AND q.status = 'queued' AND q.paced = 1 AND q.ready = 1\n        AND q.run_at <= NEW.started_at);\nEND",
      "CREATE TRIGGER jobs_rate_leave AFTER UPDATE OF status ON jobs\nWHEN OLD.paced = 1 AND OLD.status = 'queued' AND NEW.status NOT IN ('queued', 'running')\nBEGIN\n  UPDATE jobs SET run_at = next.allowed\n  FROM (SELECT COALESCE((SELECT at + OLD.rate_ms FROM rate_starts WHERE key = OLD.rate_key\n      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = OLD.rate_key) + 1 - OLD.rate_limit), OLD.created_at) AS allowed,\n    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next\n      WHERE w.rate_key = OLD.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1\n      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next\n  WHERE jobs.ws = OLD.ws AND jobs.id = next.id AND jobs.run_at > next.allowed;\nEND",
      "CREATE TRIGGER jobs_fair_start AFTER UPDATE OF status ON jobs\nWHEN NEW.fair_group IS NOT NULL AND NEW.status = 'running' AND OLD.status = 'queued'\nBEGIN\n  INSERT INTO fair_turns (fair_group, turn) VALUES (NEW.fair_group, NEW.fair_turn)\n  ON CONFLICT DO UPDATE SET turn = max(turn, excluded.turn);\nEND"
    ]
  },
  {
    "version": 34,
    "name": "event-targets",
    "statements": [
      "CREATE TABLE event_targets (\n  ws TEXT NOT NULL,\n  name TEXT NOT NULL,\n  app TEXT NOT NULL,\n  kind TEXT NOT NULL CHECK (kind IN ('action', 'flow')),\n  target TEXT NOT NULL,\n  deployment_id TEXT NOT NULL,\n  permissioned_as TEXT NOT NULL,\n  PRIMARY KEY (ws, name, app, kind, target)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX event_targets_by_app ON event_targets (ws, app)",
      "CREATE TABLE event_starts (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL,\n  event_id TEXT NOT NULL,\n  app TEXT NOT NULL,\n  kind TEXT NOT NULL CHECK (kind IN ('action', 'flow')),\n  target TEXT NOT NULL,\n  permissioned_as TEXT NOT NULL,\n  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'started', 'refused')),\n  started_id TEXT,\n  reason TEXT,\n  at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX event_starts_pending ON event_starts (at) WHERE status = 'pending'",
      "CREATE INDEX event_starts_by_event ON event_starts (ws, event_id)",
      "CREATE INDEX event_starts_by_age ON event_starts (at)"
    ]
  },
  {
    "version": 35,
    "name": "schedule-overlap",
    "statements": [
      "ALTER TABLE schedules ADD COLUMN overlap TEXT NOT NULL DEFAULT 'allow' CHECK (overlap IN ('allow', 'skip', 'queue'))"
    ]
  },
  {
    "version": 36,
    "name": "log-parts",
    "statements": [
      "ALTER TABLE job_logs ADD COLUMN parts TEXT"
    ]
  },
  {
    "version": 37,
    "name": "traces",
    "statements": [
      "CREATE TABLE traces (\n  owner_id TEXT PRIMARY KEY,\n  traceparent TEXT NOT NULL\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 38,
    "name": "trace-parents",
    "statements": [
      "ALTER TABLE traces ADD COLUMN parent TEXT"
    ]
  },
  {
    "version": 39,
    "name": "approval-shown",
    "statements": [
      "ALTER TABLE flow_steps ADD COLUMN shown TEXT"
    ]
  },
  {
    "version": 40,
    "name": "previews",
    "statements": [
      "ALTER TABLE apps ADD COLUMN preview_of TEXT",
      "ALTER TABLE apps ADD COLUMN preview_branch TEXT"
    ]
  },
  {
    "version": 41,
    "name": "oldest-code",
    "oldestCode": 40,
    "statements": [
      "ALTER TABLE schema_migrations ADD COLUMN oldest_code INTEGER"
    ]
  },
  {
    "version": 42,
    "name": "workspace-imports",
    "oldestCode": 40,
    "statements": [
      "CREATE TABLE held_workspaces (\n  ws TEXT PRIMARY KEY,\n  file_id TEXT NOT NULL,\n  since INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TRIGGER queue_counts_insert_suspended AFTER INSERT ON jobs\nWHEN NEW.status = 'queued' AND NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, 0, -1)\n  ON CONFLICT DO UPDATE SET n = n - 1;\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, 2, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND"
    ]
  },
  {
    "version": 43,
    "name": "two-factor",
    "oldestCode": 40,
    "statements": [
      "CREATE TABLE two_factors (\n  email TEXT PRIMARY KEY,\n  wrapped_key TEXT NOT NULL,\n  secret TEXT NOT NULL,\n  confirmed_at INTEGER,\n  last_interval INTEGER NOT NULL DEFAULT 0,\n  created_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE recovery_codes (\n  email TEXT NOT NULL,\n  hash TEXT NOT NULL,\n  used_at INTEGER,\n  PRIMARY KEY (email, hash)\n) STRICT, WITHOUT ROWID",
      "ALTER TABLE sessions ADD COLUMN device TEXT"
    ]
  },
  {
    "version": 44,
    "name": "subflow-cancels",
    "oldestCode": 40,
    "statements": [
      "ALTER TABLE flow_runs ADD COLUMN cancel_reason TEXT",
      "CREATE INDEX flow_runs_to_cancel ON flow_runs (ws, id) WHERE cancel_reason IS NOT NULL AND completed_at IS NULL"
    ]
  },
  {
    "version": 45,
    "name": "fewer-triggers",
    "oldestCode": 40,
    "statements": [
      "DROP TRIGGER jobs_terminal_is_final",
      "DROP TRIGGER queue_counts_insert",
      "DROP TRIGGER queue_counts_insert_suspended",
      "DROP TRIGGER queue_counts_leave",
      "DROP TRIGGER queue_counts_enter",
      "DROP TRIGGER jobs_rate_start",
      "DROP TRIGGER jobs_fair_start",
      "DROP TRIGGER jobs_rate_leave",
      "DROP TRIGGER jobs_call_ended",
      "DROP TRIGGER jobs_waits_ended",
      "DROP TRIGGER notify_job_failed",
      "CREATE TRIGGER jobs_terminal_is_final AFTER UPDATE ON jobs WHEN OLD.completed_at IS NOT NULL\nBEGIN\n  SELECT RAISE(ABORT, 'a finished job never changes');\nEND",
      "CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'\nBEGIN\n  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app,\n    CASE WHEN NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL THEN 2 ELSE NEW.ready END, 1)\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER queue_counts_move AFTER UPDATE OF status, ready, tag ON jobs\nWHEN (OLD.status = 'queued' OR NEW.status = 'queued')\n  AND (NEW.status <> OLD.status OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)\nBEGIN\n  UPDATE queue_counts SET n = n - 1\n  WHERE OLD.status = 'queued' AND ws = OLD.ws AND tag = OLD.tag AND app = OLD.app\n    AND ready = CASE WHEN OLD.ready = 0 AND OLD.suspended_kind IS NOT NULL THEN 2 ELSE OLD.ready END;\n  INSERT INTO queue_counts (ws, tag, app, ready, n)\n  SELECT NEW.ws, NEW.tag, NEW.app,\n    CASE WHEN NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL THEN 2 ELSE NEW.ready END, 1\n  WHERE NEW.status = 'queued'\n  ON CONFLICT DO UPDATE SET n = n + 1;\nEND",
      "CREATE TRIGGER jobs_start AFTER UPDATE OF started_at ON jobs\nWHEN NEW.status = 'running' AND OLD.status = 'queued' AND (NEW.rate_key IS NOT NULL OR NEW.fair_group IS NOT NULL)\nBEGIN\n  INSERT INTO fair_turns (fair_group, turn) SELECT NEW.fair_group, NEW.fair_turn WHERE NEW.fair_group IS NOT NULL\n  ON CONFLICT DO UPDATE SET turn = max(turn, excluded.turn);\n  INSERT INTO rate_starts (key, seq, at)\n  SELECT NEW.rate_key, COALESCE((SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key), 0) + 1, NEW.started_at\n  WHERE NEW.rate_key IS NOT NULL AND OLD.suspended_kind IS NULL\n  ON CONFLICT DO NOTHING;\n  DELETE FROM rate_starts WHERE OLD.suspended_kind IS NULL AND key = NEW.rate_key\n    AND seq <= (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) - NEW.rate_limit;\n  UPDATE jobs SET run_at = next.allowed\n  FROM (SELECT COALESCE((SELECT at + NEW.rate_ms FROM rate_starts WHERE key = NEW.rate_key\n      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) + 1 - NEW.rate_limit), NEW.started_at) AS allowed,\n    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next\n      WHERE w.rate_key = NEW.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1\n      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next\n  WHERE NEW.rate_key IS NOT NULL AND OLD.suspended_kind IS NULL\n    AND jobs.ws = NEW.ws AND jobs.id = next.id AND jobs.run_at > next.allowed\n    AND NOT EXISTS (SELECT 1 FROM jobs q INDEXED BY jobs_paced\n      WHERE q.rate_key = NEW.rate_key AND q.status = 'queued' AND q.paced = 1 AND q.ready = 1\n        AND q.run_at <= NEW.started_at);\nEND",
      "CREATE TRIGGER jobs_end AFTER UPDATE OF completed_at ON jobs\nWHEN NEW.completed_at IS NOT NULL\n  AND (NEW.status = 'failure' OR NEW.called_by IS NOT NULL OR NEW.began_at IS NOT NULL OR OLD.paced = 1)\nBEGIN\n  UPDATE job_steps SET status = CASE NEW.status WHEN 'success' THEN 'success' ELSE 'failure' END,\n    completed_at = NEW.completed_at,\n    caught = CASE NEW.status WHEN 'success' THEN 0 ELSE 2 END,\n    result = CASE NEW.status WHEN 'success' THEN NEW.result END,\n    error = CASE NEW.status WHEN 'success' THEN NULL ELSE NEW.result END\n  WHERE job_id = NEW.called_by AND name = NEW.called_step AND child_id = NEW.id AND status = 'running';\n  UPDATE jobs SET ready = 1, blocked = 0, run_at = NEW.completed_at\n  WHERE ws = NEW.ws AND id = NEW.called_by AND status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL;\n  UPDATE event_waits SET status = 'canceled', ended_at = NEW.completed_at\n  WHERE NEW.began_at IS NOT NULL AND owner_id = NEW.id AND status = 'open';\n  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)\n  SELECT w.id, 'job_failed:' || NEW.id || ':' || rule.key, 'job_failed', NEW.id, rule.value ->> '$.to',\n    NEW.completed_at, NEW.completed_at\n  FROM workspaces w, json_each(w.notify) rule\n  WHERE NEW.status = 'failure' AND NEW.flow_run_id IS NULL AND w.id = NEW.ws\n    AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'job_failed')\n  ON CONFLICT DO NOTHING;\n  UPDATE jobs SET run_at = next.allowed\n  FROM (SELECT COALESCE((SELECT at + OLD.rate_ms FROM rate_starts WHERE key = OLD.rate_key\n      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = OLD.rate_key) + 1 - OLD.rate_limit), OLD.created_at) AS allowed,\n    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next\n      WHERE w.rate_key = OLD.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1\n      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next\n  WHERE OLD.paced = 1 AND OLD.status = 'queued'\n    AND jobs.ws = OLD.ws AND jobs.id = next.id AND jobs.run_at > next.allowed;\nEND"
    ]
  },
  {
    "version": 46,
    "name": "dismissed-jobs",
    "oldestCode": 40,
    "statements": [
      "CREATE TABLE job_dismissals (\n  ws TEXT NOT NULL,\n  job_id TEXT NOT NULL,\n  dismissed_by TEXT NOT NULL,\n  dismissed_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, job_id)\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 47,
    "name": "git-repositories",
    "oldestCode": 40,
    "statements": [
      "CREATE TABLE git_repositories (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  id TEXT NOT NULL,\n  refs TEXT NOT NULL,\n  push_id TEXT NOT NULL,\n  changed_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, app)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE git_packs (\n  ws TEXT NOT NULL,\n  repository_id TEXT NOT NULL,\n  name TEXT NOT NULL,\n  bytes INTEGER NOT NULL,\n  push_id TEXT,\n  begun_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, repository_id, name)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX git_packs_unused ON git_packs (begun_at) WHERE push_id IS NULL",
      "CREATE TABLE git_pack_chunks (\n  ws TEXT NOT NULL,\n  repository_id TEXT NOT NULL,\n  name TEXT NOT NULL,\n  seq INTEGER NOT NULL,\n  content BLOB NOT NULL,\n  PRIMARY KEY (ws, repository_id, name, seq)\n) STRICT"
    ]
  },
  {
    "version": 48,
    "name": "dismissed-flow-runs",
    "oldestCode": 40,
    "statements": [
      "CREATE TABLE flow_run_dismissals (\n  ws TEXT NOT NULL,\n  run_id TEXT NOT NULL,\n  dismissed_by TEXT NOT NULL,\n  dismissed_at INTEGER NOT NULL,\n  PRIMARY KEY (ws, run_id)\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 49,
    "name": "quiet-trials",
    "oldestCode": 40,
    "statements": [
      "CREATE TRIGGER notifications_of_trials AFTER INSERT ON notifications\nWHEN NEW.event IN ('job_failed', 'flow_failed', 'approval_waiting')\nBEGIN\n  DELETE FROM notifications WHERE ws = NEW.ws AND id = NEW.id AND EXISTS (\n    SELECT 1 FROM jobs WHERE ws = NEW.ws AND jobs.id = NEW.subject\n      AND app GLOB '*--try-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'\n    UNION ALL SELECT 1 FROM flow_runs WHERE ws = NEW.ws AND flow_runs.id = NEW.subject\n      AND app GLOB '*--try-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]');\nEND"
    ]
  },
  {
    "version": 50,
    "name": "hidden-sections",
    "oldestCode": 40,
    "statements": [
      "ALTER TABLE workspaces ADD COLUMN hidden_sections TEXT"
    ]
  },
  {
    "version": 51,
    "name": "cells",
    "oldestCode": 40,
    "statements": [
      "CREATE TABLE workspace_cells (\n  ws TEXT PRIMARY KEY,\n  cell TEXT NOT NULL,\n  moving_to TEXT,\n  move_id TEXT,\n  left_in TEXT,\n  changed_at INTEGER NOT NULL\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 52,
    "name": "relay-of-cells",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE relay_sessions_rebuilt (\n  id TEXT PRIMARY KEY,\n  ws TEXT NOT NULL,\n  key_id TEXT NOT NULL,\n  state TEXT NOT NULL DEFAULT 'waiting'\n    CHECK (state IN ('waiting', 'uploaded', 'delivered', 'expired', 'cancelled')),\n  code_hash TEXT,\n  expires_at INTEGER NOT NULL,\n  created_at INTEGER NOT NULL,\n  ended_at INTEGER,\n  change_id TEXT,\n  CHECK ((ended_at IS NULL) = (state IN ('waiting', 'uploaded'))),\n  CHECK ((code_hash IS NULL) = (ended_at IS NOT NULL))\n) STRICT",
      "INSERT INTO relay_sessions_rebuilt (id, ws, key_id, state, code_hash, expires_at, created_at, ended_at, change_id)\n  SELECT id, ws, key_id, state, code_hash, expires_at, created_at, ended_at, change_id FROM relay_sessions",
      "DROP TABLE relay_sessions",
      "ALTER TABLE relay_sessions_rebuilt RENAME TO relay_sessions",
      "CREATE UNIQUE INDEX relay_sessions_by_code ON relay_sessions (code_hash) WHERE code_hash IS NOT NULL",
      "CREATE INDEX relay_sessions_live ON relay_sessions (expires_at) WHERE ended_at IS NULL",
      "CREATE INDEX relay_sessions_live_of ON relay_sessions (ws) WHERE ended_at IS NULL",
      "CREATE INDEX relay_sessions_ended ON relay_sessions (ended_at) WHERE ended_at IS NOT NULL",
      "CREATE TRIGGER relay_sessions_ended_holds_nothing AFTER UPDATE ON relay_sessions\nWHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL\nBEGIN\n  UPDATE relay_material SET material = zeroblob(length(material)) WHERE id = NEW.id;\nEND",
      "CREATE TRIGGER relay_sessions_ended_is_final BEFORE UPDATE ON relay_sessions\nWHEN OLD.ended_at IS NOT NULL AND NEW.change_id IS NOT OLD.change_id\nBEGIN\n  SELECT RAISE(ABORT, 'an ended relay session never changes');\nEND"
    ]
  },
  {
    "version": 53,
    "name": "jobs-of-a-run",
    "oldestCode": 41,
    "statements": [
      "CREATE INDEX jobs_of_run ON jobs (flow_run_id, id) WHERE flow_run_id IS NOT NULL"
    ]
  },
  {
    "version": 54,
    "name": "time-of-stretches",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE jobs ADD COLUMN ran_ms INTEGER NOT NULL DEFAULT 0"
    ]
  },
  {
    "version": 55,
    "name": "blocked-by-level",
    "oldestCode": 41,
    "statements": [
      "DROP TRIGGER jobs_unblock",
      "DROP INDEX jobs_blocked",
      "CREATE INDEX jobs_blocked ON jobs (concurrency_key, tag, min_level, priority DESC, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND blocked = 1",
      "CREATE TRIGGER jobs_unblock AFTER UPDATE OF status, ready, tag ON jobs\nWHEN OLD.concurrency_key IS NOT NULL AND NEW.blocked = 0 AND NEW.status <> 'running' AND (\n  OLD.status = 'running'\n  OR (OLD.status = 'queued' AND OLD.ready = 1 AND OLD.blocked = 0\n    AND (NEW.status <> 'queued' OR NEW.ready = 0 OR NEW.tag <> OLD.tag)))\nBEGIN\n  UPDATE jobs SET blocked = 0 WHERE ws = OLD.ws AND id IN (\n    WITH RECURSIVE tags (tag) AS (\n      SELECT min(tag) FROM jobs\n      WHERE concurrency_key = OLD.concurrency_key AND status = 'queued' AND ready = 1 AND blocked = 1\n      UNION ALL\n      SELECT (SELECT min(j.tag) FROM jobs j\n        WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n          AND j.tag > tags.tag)\n      FROM tags WHERE tags.tag IS NOT NULL\n    )\n    SELECT h.id FROM tags CROSS JOIN json_each('[0,1,2,3]') level CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (\n      SELECT j.id FROM jobs j\n      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n        AND j.tag = tags.tag AND j.min_level = level.value\n      ORDER BY j.priority DESC, j.run_at, j.id\n      LIMIT max(1, OLD.concurrency_limit - (\n        SELECT count(*) FROM jobs r\n        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))\n  );\nEND",
      "CREATE INDEX event_starts_waiting ON event_starts (ws, at) WHERE status = 'pending'",
      "UPDATE jobs SET blocked = 0 WHERE (ws, id) IN (\n  SELECT ws, id FROM (\n    SELECT ws, id, concurrency_limit, row_number() OVER (\n      PARTITION BY concurrency_key, tag, min_level ORDER BY priority DESC, run_at, id) AS nth\n    FROM jobs INDEXED BY jobs_blocked\n    WHERE status = 'queued' AND ready = 1 AND blocked = 1 AND NOT EXISTS (\n      SELECT 1 FROM jobs r\n      WHERE r.status = 'running' AND r.ws = jobs.ws AND r.concurrency_key = jobs.concurrency_key))\n  WHERE nth <= concurrency_limit)",
      "UPDATE jobs INDEXED BY jobs_paced_next SET paced = 0 WHERE status = 'queued' AND ready = 0 AND paced = 1\n  AND (suspended_kind IS NOT NULL OR failure_count > 0) AND ws NOT IN (SELECT ws FROM held_workspaces)"
    ]
  },
  {
    "version": 56,
    "name": "api-keys-by-time",
    "oldestCode": 41,
    "statements": [
      "CREATE INDEX api_keys_by_time ON api_keys (ws, created_at, key_id)"
    ]
  },
  {
    "version": 57,
    "name": "made-by",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE tokens ADD COLUMN made_by TEXT",
      "CREATE INDEX tokens_by_maker ON tokens (made_by) WHERE made_by IS NOT NULL"
    ]
  },
  {
    "version": 58,
    "name": "request-of-call",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE function_calls ADD COLUMN request_id TEXT"
    ]
  },
  {
    "version": 59,
    "name": "end-sleeps",
    "oldestCode": 41,
    "statements": [
      "CREATE TRIGGER jobs_awake AFTER UPDATE OF ready ON jobs\nWHEN OLD.ready = 0 AND NEW.ready = 1 AND NEW.suspended_kind = 'sleep' AND NEW.status = 'queued'\n  AND NEW.ws NOT IN (SELECT ws FROM held_workspaces)\nBEGIN\n  UPDATE job_steps SET status = 'success', completed_at = due_at\n  WHERE job_id = NEW.id AND kind = 'sleep' AND status = 'running' AND due_at <= CAST(unixepoch('subsec') * 1000 AS INTEGER);\nEND"
    ]
  },
  {
    "version": 60,
    "name": "draft-parts",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE draft_parts (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  app TEXT NOT NULL,\n  hash TEXT NOT NULL,\n  content TEXT NOT NULL,\n  PRIMARY KEY (ws, app, hash)\n) STRICT",
      "CREATE TRIGGER draft_parts_deleted AFTER DELETE ON drafts\nBEGIN\n  DELETE FROM draft_parts WHERE ws = OLD.ws AND app = OLD.app;\nEND"
    ]
  },
  {
    "version": 61,
    "name": "function-versions",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE app_function_versions (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  name TEXT NOT NULL,\n  hash TEXT NOT NULL,\n  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),\n  definition TEXT NOT NULL,\n  files TEXT NOT NULL,\n  shared TEXT NOT NULL,\n  entrypoint TEXT NOT NULL,\n  PRIMARY KEY (ws, app, name, hash)\n) STRICT, WITHOUT ROWID",
      "INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)\nSELECT f.ws, f.app, f.name, f.hash, f.bundle_hash, f.definition, f.files, f.shared, f.entrypoint\nFROM app_functions f\nWHERE f.ws NOT IN (SELECT ws FROM held_workspaces WHERE file_id NOT GLOB '* moving')",
      "INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)\nSELECT DISTINCT d.ws, d.app, v.name, v.hash, v.bundle_hash, v.definition, v.files, v.shared, v.entrypoint\nFROM deployments d JOIN json_each(CASE WHEN json_valid(d.functions) THEN d.functions END) e\n  JOIN function_versions v ON v.name = e.key AND v.hash = e.value\nWHERE d.ws NOT IN (SELECT ws FROM held_workspaces WHERE file_id NOT GLOB '* moving')\nON CONFLICT DO NOTHING",
      "CREATE TRIGGER app_functions_kept_insert AFTER INSERT ON app_functions\nWHEN NEW.ws NOT IN (SELECT ws FROM held_workspaces)\nBEGIN\n  INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)\n  VALUES (NEW.ws, NEW.app, NEW.name, NEW.hash, NEW.bundle_hash, NEW.definition, NEW.files, NEW.shared, NEW.entrypoint)\n  ON CONFLICT (ws, app, name, hash) DO UPDATE SET bundle_hash = excluded.bundle_hash, definition = excluded.definition,\n    files = excluded.files, shared = excluded.shared, entrypoint = excluded.entrypoint;\nEND",
      "CREATE TRIGGER app_functions_kept_update AFTER UPDATE OF hash, bundle_hash ON app_functions\nWHEN NEW.ws NOT IN (SELECT ws FROM held_workspaces)\nBEGIN\n  INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)\n  VALUES (NEW.ws, NEW.app, NEW.name, NEW.hash, NEW.bundle_hash, NEW.definition, NEW.files, NEW.shared, NEW.entrypoint)\n  ON CONFLICT (ws, app, name, hash) DO UPDATE SET bundle_hash = excluded.bundle_hash, definition = excluded.definition,\n    files = excluded.files, shared = excluded.shared, entrypoint = excluded.entrypoint;\nEND"
    ]
  },
  {
    "version": 62,
    "name": "unused-sources",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE unused_sources (\n  hash TEXT PRIMARY KEY,\n  since INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX unused_sources_by_time ON unused_sources (since)",
      "CREATE INDEX deployment_files_by_hash ON deployment_files (hash)",
      "INSERT INTO unused_sources (hash, since)\nSELECT hash, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM source_files s\nWHERE NOT EXISTS (SELECT 1 FROM deployment_files f WHERE f.hash = s.hash)"
    ]
  },
  {
    "version": 63,
    "name": "delayed-flow-runs",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE flow_runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE flow_runs ADD COLUMN tag TEXT"
    ]
  },
  {
    "version": 64,
    "name": "apps-made-again",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE apps ADD COLUMN creation_id TEXT",
      "CREATE TABLE deployment_apps (\n  ws TEXT NOT NULL,\n  deployment_id TEXT NOT NULL,\n  creation_id TEXT NOT NULL,\n  PRIMARY KEY (ws, deployment_id)\n) STRICT, WITHOUT ROWID",
      "CREATE TRIGGER apps_made AFTER INSERT ON apps\nWHEN NEW.ws NOT IN (SELECT ws FROM held_workspaces)\nBEGIN\n  DELETE FROM app_state WHERE ws = NEW.ws AND app = NEW.key;\n  DELETE FROM webhook_deliveries WHERE ws = NEW.ws AND app = NEW.key;\n  UPDATE apps SET creation_id = lower(hex(randomblob(8))) WHERE ws = NEW.ws AND key = NEW.key;\n  INSERT INTO deployment_apps (ws, deployment_id, creation_id)\n  SELECT ws, deployment_id, creation_id FROM apps WHERE ws = NEW.ws AND key = NEW.key AND deployment_id IS NOT NULL\n  ON CONFLICT DO NOTHING;\nEND",
      "CREATE TRIGGER apps_deployed AFTER UPDATE OF deployment_id ON apps\nWHEN NEW.deployment_id IS NOT NULL AND NEW.creation_id IS NOT NULL AND NEW.ws NOT IN (SELECT ws FROM held_workspaces)\nBEGIN\n  INSERT INTO deployment_apps (ws, deployment_id, creation_id)\n  VALUES (NEW.ws, NEW.deployment_id, NEW.creation_id)\n  ON CONFLICT DO NOTHING;\nEND"
    ]
  },
  {
    "version": 65,
    "name": "open-subflows",
    "oldestCode": 41,
    "statements": [
      "CREATE INDEX flow_runs_open_by_parent ON flow_runs (parent_run_id, parent_index)\nWHERE parent_run_id IS NOT NULL AND completed_at IS NULL"
    ]
  },
  {
    "version": 66,
    "name": "old-deployments",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE expired_deployments (\n  ws TEXT NOT NULL,\n  deployment_id TEXT NOT NULL,\n  PRIMARY KEY (ws, deployment_id)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE deleted_apps (\n  ws TEXT NOT NULL,\n  app TEXT NOT NULL,\n  since INTEGER NOT NULL,\n  PRIMARY KEY (ws, app)\n) STRICT, WITHOUT ROWID",
      "CREATE TABLE unused_bundles (\n  hash TEXT PRIMARY KEY,\n  since INTEGER NOT NULL\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX unused_bundles_by_time ON unused_bundles (since)",
      "CREATE INDEX deployment_actions_by_bundle ON deployment_actions (bundle_hash)",
      "CREATE INDEX app_functions_by_bundle ON app_functions (bundle_hash)",
      "CREATE INDEX app_function_versions_by_bundle ON app_function_versions (bundle_hash)",
      "CREATE INDEX function_versions_by_bundle ON function_versions (bundle_hash)",
      "CREATE INDEX app_function_versions_by_name ON app_function_versions (name, hash)",
      "INSERT INTO unused_bundles (hash, since)\nSELECT hash, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM bundles b\nWHERE NOT EXISTS (SELECT 1 FROM deployment_actions a WHERE a.bundle_hash = b.hash)\n  AND NOT EXISTS (SELECT 1 FROM app_functions f WHERE f.bundle_hash = b.hash)\n  AND NOT EXISTS (SELECT 1 FROM app_function_versions v WHERE v.bundle_hash = b.hash)\n  AND NOT EXISTS (SELECT 1 FROM function_versions v WHERE v.bundle_hash = b.hash)"
    ]
  },
  {
    "version": 67,
    "name": "blocked-turns",
    "oldestCode": 41,
    "statements": [
      "DROP TRIGGER jobs_unblock",
      "CREATE INDEX jobs_blocked_fair ON jobs (concurrency_key, fair_group, tag, min_level, priority DESC, fair_turn, run_at, id)\n  WHERE status = 'queued' AND ready = 1 AND blocked = 1 AND fair_group IS NOT NULL",
      "CREATE TRIGGER jobs_unblock AFTER UPDATE OF status, ready, tag ON jobs\nWHEN OLD.concurrency_key IS NOT NULL AND NEW.blocked = 0 AND NEW.status <> 'running' AND (\n  OLD.status = 'running'\n  OR (OLD.status = 'queued' AND OLD.ready = 1 AND OLD.blocked = 0\n    AND (NEW.status <> 'queued' OR NEW.ready = 0 OR NEW.tag <> OLD.tag)))\nBEGIN\n  UPDATE jobs SET blocked = 0 WHERE ws = OLD.ws AND id IN (\n    WITH RECURSIVE tags (tag) AS (\n      SELECT min(tag) FROM jobs\n      WHERE concurrency_key = OLD.concurrency_key AND status = 'queued' AND ready = 1 AND blocked = 1\n      UNION ALL\n      SELECT (SELECT min(j.tag) FROM jobs j\n        WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n          AND j.tag > tags.tag)\n      FROM tags WHERE tags.tag IS NOT NULL\n    )\n    SELECT COALESCE(turn.id, h.id)\n    FROM tags CROSS JOIN json_each('[0,1,2,3]') level CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (\n      SELECT j.id FROM jobs j\n      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1\n        AND j.tag = tags.tag AND j.min_level = level.value\n      ORDER BY j.priority DESC, j.run_at, j.id\n      LIMIT max(1, OLD.concurrency_limit - (\n        SELECT count(*) FROM jobs r\n        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))\n    LEFT JOIN jobs turn ON turn.ws = OLD.ws AND turn.id IN (\n      SELECT f.id FROM jobs f INDEXED BY jobs_blocked_fair\n      WHERE f.concurrency_key = OLD.concurrency_key AND f.fair_group = h.fair_group AND f.tag = tags.tag\n        AND f.min_level = level.value AND f.status = 'queued' AND f.ready = 1 AND f.blocked = 1\n      ORDER BY f.priority DESC, f.fair_turn, f.run_at, f.id\n      LIMIT max(1, OLD.concurrency_limit - (\n        SELECT count(*) FROM jobs r\n        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))\n  );\nEND"
    ]
  },
  {
    "version": 68,
    "name": "turns-under-rates",
    "oldestCode": 41,
    "statements": [
      "CREATE INDEX jobs_paced_fair ON jobs (rate_key, tag, min_level, priority DESC, fair_turn, id)\n  WHERE status = 'queued' AND ready = 0 AND paced = 1 AND fair_turn IS NOT NULL",
      "CREATE TRIGGER jobs_place_due AFTER UPDATE OF ready ON jobs\nWHEN NEW.ready = 1 AND OLD.ready = 0 AND NEW.paced = 1 AND NEW.fair_turn IS NOT NULL AND NEW.run_at = OLD.run_at\nBEGIN\n  UPDATE jobs SET ready = jobs.id <> NEW.id,\n    run_at = CASE WHEN jobs.id = NEW.id THEN next.run_at ELSE NEW.run_at END\n  FROM (SELECT w.id, w.priority, w.fair_turn, w.run_at FROM jobs w INDEXED BY jobs_paced_fair\n    WHERE w.rate_key = NEW.rate_key AND w.tag = NEW.tag AND w.min_level = NEW.min_level\n      AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1 AND w.fair_turn IS NOT NULL\n    ORDER BY w.priority DESC, w.fair_turn, w.id LIMIT 1) next\n  WHERE jobs.ws = NEW.ws AND jobs.id IN (NEW.id, next.id)\n    AND (-next.priority, next.fair_turn, next.id) < (-NEW.priority, NEW.fair_turn, NEW.id)\n    AND NEW.ws NOT IN (SELECT ws FROM held_workspaces);\nEND"
    ]
  },
  {
    "version": 69,
    "name": "job-labels",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE job_labels (\n  ws TEXT NOT NULL,\n  job_id TEXT NOT NULL,\n  label TEXT NOT NULL,\n  PRIMARY KEY (ws, job_id, label)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX job_labels_found ON job_labels (ws, label, job_id)"
    ]
  },
  {
    "version": 70,
    "name": "flow-run-labels",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE flow_run_labels (\n  ws TEXT NOT NULL,\n  run_id TEXT NOT NULL,\n  label TEXT NOT NULL,\n  PRIMARY KEY (ws, run_id, label)\n) STRICT, WITHOUT ROWID",
      "CREATE INDEX flow_run_labels_found ON flow_run_labels (ws, label, run_id)"
    ]
  },
  {
    "version": 71,
    "name": "slots-of-deleted-schedules",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE schedule_slots_rebuilt (\n  schedule_id TEXT NOT NULL,\n  slot INTEGER NOT NULL,\n  outcome TEXT NOT NULL CHECK (outcome IN ('fired', 'skipped')),\n  job_id TEXT,\n  flow_run_id TEXT,\n  last_slot INTEGER,\n  count INTEGER NOT NULL DEFAULT 1,\n  reason TEXT,\n  at INTEGER NOT NULL,\n  PRIMARY KEY (schedule_id, slot)\n) STRICT, WITHOUT ROWID",
      "INSERT INTO schedule_slots_rebuilt (schedule_id, slot, outcome, job_id, flow_run_id, last_slot, count, reason, at)\nSELECT schedule_id, slot, outcome, job_id, flow_run_id, last_slot, count, reason, at FROM schedule_slots ORDER BY schedule_id, slot",
      "DROP TABLE schedule_slots",
      "ALTER TABLE schedule_slots_rebuilt RENAME TO schedule_slots",
      "CREATE INDEX schedule_slots_by_age ON schedule_slots (at)"
    ]
  },
  {
    "version": 72,
    "name": "flow-concurrency",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE flow_runs ADD COLUMN concurrency_key TEXT",
      "ALTER TABLE flow_runs ADD COLUMN concurrency_limit INTEGER",
      "ALTER TABLE flow_runs ADD COLUMN concurrency_state TEXT CHECK (concurrency_state IN ('delayed', 'waiting', 'holding'))",
      "CREATE INDEX flow_runs_concurrent ON flow_runs (ws, concurrency_key, concurrency_state, completed_at, priority DESC, id)\n  WHERE concurrency_key IS NOT NULL AND completed_at IS NULL",
      "CREATE TRIGGER flow_runs_take_places AFTER UPDATE OF completed_at, concurrency_state, step_index ON flow_runs\nWHEN NEW.concurrency_key IS NOT NULL\n  AND (NEW.completed_at IS NOT NULL OR NEW.concurrency_state = 'waiting' OR (OLD.step_index = -1 AND NEW.step_index <> -1))\n  AND EXISTS (\n    SELECT 1 FROM flow_runs w INDEXED BY flow_runs_concurrent\n    WHERE w.ws = NEW.ws AND w.concurrency_key = NEW.concurrency_key AND w.concurrency_state = 'waiting'\n      AND w.completed_at IS NULL)\nBEGIN\n  UPDATE flow_runs SET concurrency_state = 'holding', version = version + 1,\n    wait_until = CAST(unixepoch('subsec') * 1000 AS INTEGER)\n  WHERE ws = NEW.ws AND id IN (\n    SELECT w.id FROM flow_runs w INDEXED BY flow_runs_concurrent\n    WHERE w.ws = NEW.ws AND w.concurrency_key = NEW.concurrency_key AND w.concurrency_state = 'waiting'\n      AND w.completed_at IS NULL\n    ORDER BY w.priority DESC, w.id\n    LIMIT min(10, max(0, COALESCE((\n      SELECT f.concurrency_limit FROM flow_runs f INDEXED BY flow_runs_concurrent\n      WHERE f.ws = NEW.ws AND f.concurrency_key = NEW.concurrency_key AND f.concurrency_state = 'waiting'\n        AND f.completed_at IS NULL\n      ORDER BY f.priority DESC, f.id LIMIT 1), 0) - (\n      SELECT count(*) FROM flow_runs h INDEXED BY flow_runs_concurrent\n      WHERE h.ws = NEW.ws AND h.concurrency_key = NEW.concurrency_key AND h.concurrency_state = 'holding'\n        AND h.completed_at IS NULL))));\nEND",
      "CREATE TRIGGER flow_runs_begin_to_wait AFTER INSERT ON flow_runs\nWHEN NEW.concurrency_state = 'waiting' AND NEW.ws NOT IN (SELECT ws FROM held_workspaces)\nBEGIN\n  UPDATE flow_runs SET concurrency_state = 'waiting' WHERE ws = NEW.ws AND id = NEW.id;\nEND"
    ]
  },
  {
    "version": 73,
    "name": "schedule-keys",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE schedules ADD COLUMN key TEXT",
      "CREATE UNIQUE INDEX schedules_by_key ON schedules (ws, app, key) WHERE key IS NOT NULL"
    ]
  },
  {
    "version": 74,
    "name": "time-of-debounced-requests",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE jobs ADD COLUMN debounced_at INTEGER"
    ]
  },
  {
    "version": 75,
    "name": "lease-lengths",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE jobs ADD COLUMN lease_ms INTEGER"
    ]
  },
  {
    "version": 76,
    "name": "due-rows-in-index",
    "oldestCode": 41,
    "statements": [
      "DROP INDEX flow_runs_by_deadline",
      "CREATE INDEX flow_runs_by_deadline ON flow_runs (wait_until, id, ws, step_index, concurrency_state) WHERE wait_until IS NOT NULL",
      "DROP INDEX flow_runs_by_reminder",
      "CREATE INDEX flow_runs_by_reminder ON flow_runs (remind_at, id, ws, step_index) WHERE remind_at IS NOT NULL",
      "DROP INDEX schedules_due",
      "CREATE INDEX schedules_due ON schedules (next_fire_at, id, ws, enabled, waiting_since) WHERE enabled = 1 AND waiting_since IS NULL"
    ]
  },
  {
    "version": 77,
    "name": "start-timeouts",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE jobs ADD COLUMN start_by INTEGER",
      "CREATE INDEX jobs_to_start ON jobs (start_by, id, ws, status, attempt)\n  WHERE start_by IS NOT NULL AND status = 'queued' AND attempt = 0"
    ]
  },
  {
    "version": 78,
    "name": "further-due-rows-in-index",
    "oldestCode": 41,
    "statements": [
      "DROP INDEX events_pending",
      "CREATE INDEX events_pending ON events (at, id, ws) WHERE pending = 1",
      "DROP INDEX event_starts_pending",
      "CREATE INDEX event_starts_pending ON event_starts (at, ws) WHERE status = 'pending'",
      "DROP INDEX flow_runs_to_cancel",
      "CREATE INDEX flow_runs_to_cancel ON flow_runs (ws, id, cancel_reason, completed_at)\n  WHERE cancel_reason IS NOT NULL AND completed_at IS NULL",
      "DROP INDEX flow_runs_awaiting_room",
      "CREATE INDEX flow_runs_awaiting_room ON flow_runs (ws, id, completed_at) WHERE awaits_room = 1",
      "DROP INDEX schedules_waiting",
      "CREATE INDEX schedules_waiting ON schedules (ws, next_fire_at, waiting_since) WHERE enabled = 1 AND waiting_since IS NOT NULL"
    ]
  },
  {
    "version": 79,
    "name": "concurrency-slots-during-moves",
    "oldestCode": 41,
    "statements": [
      "DROP TRIGGER flow_runs_begin_to_wait",
      "CREATE TRIGGER flow_runs_begin_to_wait AFTER INSERT ON flow_runs\nWHEN NEW.concurrency_state = 'waiting' AND NEW.ws NOT IN (SELECT ws FROM held_workspaces WHERE file_id NOT GLOB '* moving')\nBEGIN\n  UPDATE flow_runs SET concurrency_state = 'waiting' WHERE ws = NEW.ws AND id = NEW.id;\nEND"
    ]
  },
  {
    "version": 80,
    "name": "runs-of-jobs",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE flow_runs ADD COLUMN canceled_with TEXT",
      "CREATE INDEX flow_runs_open_of_job ON flow_runs (canceled_with) WHERE canceled_with IS NOT NULL AND completed_at IS NULL",
      "CREATE TRIGGER jobs_cancel_runs AFTER UPDATE OF status ON jobs\nWHEN NEW.status = 'canceled' AND OLD.status <> 'canceled'\nBEGIN\n  UPDATE flow_runs SET cancel_reason = COALESCE(cancel_reason, NEW.cancel_reason, 'The job that started the run was canceled.'),\n    version = version + 1\n  WHERE canceled_with = NEW.id AND ws = NEW.ws AND completed_at IS NULL;\nEND"
    ]
  },
  {
    "version": 81,
    "name": "late-jobs-take-no-start",
    "oldestCode": 41,
    "statements": [
      "DROP TRIGGER jobs_start",
      "CREATE TRIGGER jobs_start AFTER UPDATE OF started_at ON jobs\nWHEN NEW.status = 'running' AND OLD.status = 'queued' AND (NEW.rate_key IS NOT NULL OR NEW.fair_group IS NOT NULL)\nBEGIN\n  INSERT INTO fair_turns (fair_group, turn) SELECT NEW.fair_group, NEW.fair_turn WHERE NEW.fair_group IS NOT NULL\n  ON CONFLICT DO UPDATE SET turn = max(turn, excluded.turn);\n  INSERT INTO rate_starts (key, seq, at)\n  SELECT NEW.rate_key, COALESCE((SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key), 0) + 1, NEW.started_at\n  WHERE NEW.rate_key IS NOT NULL AND OLD.suspended_kind IS NULL AND NEW.cancel_by IS NULL\n  ON CONFLICT DO NOTHING;\n  DELETE FROM rate_starts WHERE OLD.suspended_kind IS NULL AND key = NEW.rate_key\n    AND seq <= (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) - NEW.rate_limit;\n  UPDATE jobs SET run_at = next.allowed\n  FROM (SELECT COALESCE((SELECT at + NEW.rate_ms FROM rate_starts WHERE key = NEW.rate_key\n      AND seq = (SELECT max(seq) FROM rate_starts WHERE key = NEW.rate_key) + 1 - NEW.rate_limit), NEW.started_at) AS allowed,\n    (SELECT w.id FROM jobs w INDEXED BY jobs_paced_next\n      WHERE w.rate_key = NEW.rate_key AND w.status = 'queued' AND w.ready = 0 AND w.paced = 1\n      ORDER BY w.priority DESC, w.run_at, w.id LIMIT 1) AS id) next\n  WHERE NEW.rate_key IS NOT NULL AND OLD.suspended_kind IS NULL\n    AND jobs.ws = NEW.ws AND jobs.id = next.id AND jobs.run_at > next.allowed\n    AND NOT EXISTS (SELECT 1 FROM jobs q INDEXED BY jobs_paced\n      WHERE q.rate_key = NEW.rate_key AND q.status = 'queued' AND q.paced = 1 AND q.ready = 1\n        AND q.run_at <= NEW.started_at);\nEND"
    ]
  },
  {
    "version": 82,
    "name": "refused-items",
    "oldestCode": 41,
    "statements": [
      "ALTER TABLE flow_steps ADD COLUMN refused INTEGER"
    ]
  },
  {
    "version": 83,
    "name": "token-revocations",
    "oldestCode": 41,
    "statements": [
      "CREATE TABLE token_revocations (\n  ws TEXT NOT NULL REFERENCES workspaces (id),\n  token_id TEXT NOT NULL,\n  spared_id TEXT NOT NULL,\n  at INTEGER NOT NULL,\n  PRIMARY KEY (ws, token_id, spared_id)\n) STRICT, WITHOUT ROWID"
    ]
  },
  {
    "version": 84,
    "name": "rows-of-people",
    "oldestCode": 41,
    "statements": [
      "CREATE INDEX tokens_by_owner ON tokens (email, ws, id)",
      "CREATE INDEX members_by_email ON members (email)",
      "CREATE INDEX invites_by_email ON invites (email)",
      "CREATE INDEX invites_by_creator ON invites (created_by)",
      "CREATE INDEX consumer_grants_by_app ON consumer_grants (app)"
    ]
  }
]
