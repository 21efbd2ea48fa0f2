-- Flow runs (document 1, Flow run). Inputs, results and errors are encrypted with the workspace's key.

CREATE TABLE flow_runs (
  ws TEXT NOT NULL,
  id TEXT NOT NULL,
  app TEXT NOT NULL,
  flow TEXT NOT NULL,
  -- pins the commit and the definition
  deployment_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'waiting_approval', 'completed', 'failed', 'canceled')),
  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN ('api', 'webhook', 'schedule', 'public', 'subflow')),
  -- of a webhook: captured headers and how the body was carried
  trigger TEXT,
  input TEXT NOT NULL,
  result TEXT,
  error TEXT,
  -- why it will have failed, while its failure module runs
  failure TEXT,
  created_by TEXT NOT NULL,
  permissioned_as TEXT NOT NULL,
  parent_run_id TEXT,
  parent_index INTEGER,
  depth INTEGER NOT NULL DEFAULT 0,
  -- the run that this one takes up again
  restarted_from TEXT,
  -- of the step that the run has come to
  step_index INTEGER NOT NULL,
  -- grows with each transition; whoever writes names the one that it read
  version INTEGER NOT NULL DEFAULT 1,
  -- the last transition: what belongs to it is written only while it stands here
  transition TEXT NOT NULL,
  -- when the approval that it waits for is given up
  wait_until INTEGER,
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (ws, id),
  CHECK ((completed_at IS NULL) = (status IN ('running', 'waiting_approval'))),
  CHECK ((parent_run_id IS NULL) = (parent_index IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX flow_runs_by_flow ON flow_runs (ws, app, flow, id);
CREATE INDEX flow_runs_open ON flow_runs (ws, id) WHERE completed_at IS NULL;
CREATE INDEX flow_runs_waiting ON flow_runs (ws, id) WHERE status = 'waiting_approval';
CREATE INDEX flow_runs_by_deadline ON flow_runs (wait_until) WHERE wait_until IS NOT NULL;
CREATE INDEX flow_runs_ended ON flow_runs (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX flow_runs_by_parent ON flow_runs (parent_run_id, parent_index) WHERE parent_run_id IS NOT NULL;

CREATE TRIGGER flow_runs_terminal_is_final BEFORE UPDATE ON flow_runs
WHEN OLD.completed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a finished flow run never changes');
END;

-- A row for each step that the run has come to; the failure module stands behind the last step.
CREATE TABLE flow_steps (
  run_id TEXT NOT NULL,
  step_index INTEGER NOT NULL,
  key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('running', 'waiting_approval', 'success', 'failure', 'skipped', 'rejected', 'timed_out', 'canceled')),
  result TEXT,
  error TEXT,
  started_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (run_id, step_index),
  CHECK ((completed_at IS NULL) = (status IN ('running', 'waiting_approval')))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER flow_steps_terminal_is_final BEFORE UPDATE ON flow_steps
WHEN OLD.completed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a finished flow step never changes');
END;

-- Items of a loop that have not begun; a job takes its row's place.
CREATE TABLE flow_slots (
  run_id TEXT NOT NULL,
  step_index INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  input TEXT NOT NULL,
  PRIMARY KEY (run_id, step_index, slot)
) STRICT, WITHOUT ROWID;

-- Who answered an approval step, once each.
CREATE TABLE approvals (
  run_id TEXT NOT NULL,
  step_index INTEGER NOT NULL,
  approver TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('approve', 'reject')),
  -- what was filled in, encrypted
  form TEXT,
  reason TEXT,
  via TEXT NOT NULL CHECK (via IN ('session', 'api_token', 'link')),
  at INTEGER NOT NULL,
  PRIMARY KEY (run_id, step_index, approver)
) STRICT, WITHOUT ROWID;

-- Public links (document 1, Flow link): hash and prefix of the token, never the text.
CREATE TABLE flow_links (
  ws TEXT NOT NULL,
  id TEXT NOT NULL,
  app TEXT NOT NULL,
  flow TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  form TEXT NOT NULL,
  max_uses INTEGER NOT NULL CHECK (max_uses BETWEEN 1 AND 100000),
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ws, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX flow_links_by_expiry ON flow_links (expires_at);

-- A row for each run that a link started: its uses are counted here, and stay when the run is swept.
CREATE TABLE flow_link_uses (
  link_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (link_id, run_id)
) STRICT, WITHOUT ROWID;

-- A job that is a step's child: which part of it, and which try.
ALTER TABLE jobs ADD COLUMN flow_index INTEGER;
ALTER TABLE jobs ADD COLUMN flow_slot INTEGER;
ALTER TABLE jobs ADD COLUMN flow_attempt INTEGER;
CREATE INDEX jobs_by_flow ON jobs (flow_run_id, flow_index, flow_slot) WHERE flow_run_id IS NOT NULL;
-- of a long loop only what is under way counts
CREATE INDEX jobs_by_flow_open ON jobs (flow_run_id, flow_index) WHERE flow_run_id IS NOT NULL AND completed_at IS NULL;

-- Of a flow's child: what ctx tells of the run, encrypted.
ALTER TABLE job_inputs ADD COLUMN flow TEXT;
