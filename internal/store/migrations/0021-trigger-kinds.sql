-- What started a job or a flow run gets a word of its own. SQLite cannot change a CHECK, so both tables are built again,
-- with the columns in the order in which they are read: what may be large comes last.

CREATE TABLE jobs_rebuilt (
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
  -- 1: a claim found the job's concurrency key full (migration 16)
  blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
  run_at INTEGER NOT NULL,
  concurrency_key TEXT,
  concurrency_limit INTEGER,
  -- the lowest level of isolation under which it may run (migration 10)
  min_level INTEGER NOT NULL DEFAULT 0,
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
  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN
    ('api', 'webhook', 'schedule', 'job', 'function', 'event', 'public', 'flow', 'error_handler')),
  created_by TEXT NOT NULL,
  permissioned_as TEXT NOT NULL,
  customer_id TEXT,
  -- how many jobs and runs started one another before this one; the first is 0
  chain_depth INTEGER NOT NULL DEFAULT 0,
  -- 1: whoever started it held apps:write, so that it may name any tag for what it starts
  holds_apps_write INTEGER NOT NULL DEFAULT 0 CHECK (holds_apps_write IN (0, 1)),
  flow_run_id TEXT,
  flow_step TEXT,
  -- which part of the step, and which try
  flow_index INTEGER,
  flow_slot INTEGER,
  flow_attempt INTEGER,
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

INSERT INTO jobs_rebuilt (ws, id, app, action, deployment_id, status, tag, priority, ready, blocked, run_at, concurrency_key,
  concurrency_limit, min_level, attempt, max_attempts, crash_count, crash_limit, failure_count, claim_id, lease_until,
  cancel_reason, cancel_by, trigger_kind, created_by, permissioned_as, customer_id, flow_run_id, flow_step, flow_index,
  flow_slot, flow_attempt, worker, created_at, started_at, completed_at, result)
SELECT ws, id, app, action, deployment_id, status, tag, priority, ready, blocked, run_at, concurrency_key,
  concurrency_limit, min_level, attempt, max_attempts, crash_count, crash_limit, failure_count, claim_id, lease_until,
  cancel_reason, cancel_by,
  CASE WHEN created_by GLOB 'error_handler:*' THEN 'error_handler' ELSE trigger_kind END,
  created_by, permissioned_as, customer_id, flow_run_id, flow_step, flow_index,
  flow_slot, flow_attempt, worker, created_at, started_at, completed_at, result
FROM jobs ORDER BY ws, id;

DROP TABLE jobs;
ALTER TABLE jobs_rebuilt RENAME TO jobs;

CREATE INDEX jobs_ready ON jobs (tag, min_level, ws, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND blocked = 0;
CREATE INDEX jobs_blocked ON jobs (concurrency_key, tag, priority DESC, run_at, id)
  WHERE status = 'queued' AND ready = 1 AND blocked = 1;
CREATE INDEX jobs_running ON jobs (ws, concurrency_key) WHERE status = 'running';
CREATE INDEX jobs_delayed ON jobs (run_at) WHERE status = 'queued' AND ready = 0;
CREATE INDEX jobs_due ON jobs (ws, tag, run_at) WHERE status = 'queued' AND ready = 1;
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE status = 'running';
CREATE INDEX jobs_open ON jobs (ws, id) WHERE completed_at IS NULL;
CREATE INDEX jobs_unsuccessful ON jobs (ws, id) WHERE status IN ('failure', 'canceled');
CREATE INDEX jobs_by_app ON jobs (ws, app, id);
CREATE INDEX jobs_by_flow ON jobs (flow_run_id, flow_index, flow_slot) WHERE flow_run_id IS NOT NULL;
CREATE INDEX jobs_by_flow_open ON jobs (flow_run_id, flow_index) WHERE flow_run_id IS NOT NULL AND completed_at IS NULL;
CREATE UNIQUE INDEX jobs_error_handler ON jobs (created_by) WHERE created_by GLOB 'error_handler:*';

CREATE TRIGGER jobs_terminal_is_final BEFORE UPDATE ON jobs
WHEN OLD.completed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a finished job never changes');
END;

-- A job that stops running, or that leaves the queue without having run, makes room for the first blocked jobs of its
-- key: as many as may run now, under each tag, since nobody may serve the tag of the very first. A claim judges them
-- again, so one too many does no harm.
CREATE TRIGGER jobs_unblock AFTER UPDATE OF status, ready, tag ON jobs
WHEN OLD.concurrency_key IS NOT NULL AND NEW.blocked = 0 AND NEW.status <> 'running' AND (
  OLD.status = 'running'
  OR (OLD.status = 'queued' AND OLD.ready = 1 AND OLD.blocked = 0
    AND (NEW.status <> 'queued' OR NEW.ready = 0 OR NEW.tag <> OLD.tag)))
BEGIN
  UPDATE jobs SET blocked = 0 WHERE ws = OLD.ws AND id IN (
    WITH RECURSIVE tags (tag) AS (
      SELECT min(tag) FROM jobs
      WHERE concurrency_key = OLD.concurrency_key AND status = 'queued' AND ready = 1 AND blocked = 1
      UNION ALL
      SELECT (SELECT min(j.tag) FROM jobs j
        WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1
          AND j.tag > tags.tag)
      FROM tags WHERE tags.tag IS NOT NULL
    )
    SELECT h.id FROM tags CROSS JOIN jobs h ON h.ws = OLD.ws AND h.id IN (
      SELECT j.id FROM jobs j
      WHERE j.concurrency_key = OLD.concurrency_key AND j.status = 'queued' AND j.ready = 1 AND j.blocked = 1
        AND j.tag = tags.tag
      ORDER BY j.priority DESC, j.run_at, j.id
      LIMIT max(1, OLD.concurrency_limit - (
        SELECT count(*) FROM jobs r
        WHERE r.status = 'running' AND r.ws = OLD.ws AND r.concurrency_key = OLD.concurrency_key)))
  );
END;

CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER queue_counts_leave AFTER UPDATE OF status, ready, tag ON jobs
WHEN OLD.status = 'queued' AND (NEW.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)
BEGIN
  UPDATE queue_counts SET n = n - 1
  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;
END;

CREATE TRIGGER queue_counts_enter AFTER UPDATE OF status, ready, tag ON jobs
WHEN NEW.status = 'queued' AND (OLD.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER queue_counts_delete AFTER DELETE ON jobs WHEN OLD.status = 'queued'
BEGIN
  UPDATE queue_counts SET n = n - 1
  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;
END;

CREATE TABLE flow_runs_rebuilt (
  ws TEXT NOT NULL,
  id TEXT NOT NULL,
  app TEXT NOT NULL,
  flow TEXT NOT NULL,
  -- pins the commit and the definition
  deployment_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'waiting_approval', 'completed', 'failed', 'canceled')),
  trigger_kind TEXT NOT NULL CHECK (trigger_kind IN
    ('api', 'webhook', 'schedule', 'public', 'subflow', 'job', 'function', 'event')),
  -- of a webhook: captured headers and how the body was carried
  trigger TEXT,
  input TEXT NOT NULL,
  result TEXT,
  error TEXT,
  -- why it will have failed, while its failure module runs
  failure TEXT,
  created_by TEXT NOT NULL,
  permissioned_as TEXT NOT NULL,
  -- as in jobs; the jobs of the run take both over
  chain_depth INTEGER NOT NULL DEFAULT 0,
  holds_apps_write INTEGER NOT NULL DEFAULT 0 CHECK (holds_apps_write IN (0, 1)),
  parent_run_id TEXT,
  parent_index INTEGER,
  -- how many runs it is inside of
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
  -- bytes of the results of all steps that have ended, and of the slots of the step that the run is at
  result_bytes INTEGER NOT NULL DEFAULT 0,
  slot_bytes INTEGER NOT NULL DEFAULT 0,
  -- 1: the workspace's queue was full, so that slots of the step have not begun
  awaits_room INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (ws, id),
  CHECK ((completed_at IS NULL) = (status IN ('running', 'waiting_approval'))),
  CHECK ((parent_run_id IS NULL) = (parent_index IS NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO flow_runs_rebuilt (ws, id, app, flow, deployment_id, status, trigger_kind, trigger, input, result, error, failure,
  created_by, permissioned_as, parent_run_id, parent_index, depth, restarted_from, step_index, version, transition,
  wait_until, result_bytes, slot_bytes, awaits_room, created_at, completed_at)
SELECT ws, id, app, flow, deployment_id, status, trigger_kind, trigger, input, result, error, failure,
  created_by, permissioned_as, parent_run_id, parent_index, depth, restarted_from, step_index, version, transition,
  wait_until, result_bytes, slot_bytes, awaits_room, created_at, completed_at
FROM flow_runs ORDER BY ws, id;

DROP TABLE flow_runs;
ALTER TABLE flow_runs_rebuilt RENAME TO flow_runs;

CREATE INDEX flow_runs_by_flow ON flow_runs (ws, app, flow, id);
CREATE INDEX flow_runs_open ON flow_runs (ws, id) WHERE completed_at IS NULL;
CREATE INDEX flow_runs_waiting ON flow_runs (ws, id) WHERE status = 'waiting_approval';
CREATE INDEX flow_runs_by_deadline ON flow_runs (wait_until) WHERE wait_until IS NOT NULL;
CREATE INDEX flow_runs_ended ON flow_runs (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX flow_runs_by_parent ON flow_runs (parent_run_id, parent_index) WHERE parent_run_id IS NOT NULL;
CREATE INDEX flow_runs_awaiting_room ON flow_runs (ws, id) WHERE awaits_room = 1;

CREATE TRIGGER flow_runs_terminal_is_final BEFORE UPDATE ON flow_runs
WHEN OLD.completed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a finished flow run never changes');
END;

-- What a job has started, by the number of the call: a later attempt finds it here. It goes with its job.
CREATE TABLE job_starts (
  job_id TEXT NOT NULL,
  key TEXT NOT NULL,
  -- `action app/key` or `flow app/key`
  target TEXT NOT NULL,
  -- of the job or flow run
  started_id TEXT NOT NULL,
  PRIMARY KEY (job_id, key)
) STRICT, WITHOUT ROWID;
