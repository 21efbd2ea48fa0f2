-- Durable steps of a job: what it has recorded, what it waits for, and which job it has called.

-- What a suspended job waits for: set when an attempt ends in a suspension, cleared by the next claim. `run_at` is when it
-- goes on at the latest; `suspended_until` is the time that people are shown.
ALTER TABLE jobs ADD COLUMN suspended_kind TEXT CHECK (suspended_kind IN ('sleep', 'event', 'job'));
ALTER TABLE jobs ADD COLUMN suspended_name TEXT;
ALTER TABLE jobs ADD COLUMN suspended_until INTEGER;
-- The first start of a job with durable steps. Only such a job has waits.
ALTER TABLE jobs ADD COLUMN began_at INTEGER;
-- The job that waits for this one (`ctx.call`), and the name of its step.
ALTER TABLE jobs ADD COLUMN called_by TEXT;
ALTER TABLE jobs ADD COLUMN called_step TEXT;

CREATE INDEX jobs_suspended ON jobs (ws, id) WHERE status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL;
CREATE INDEX jobs_by_caller ON jobs (called_by) WHERE called_by IS NOT NULL;

-- They go with their job.
CREATE TABLE job_steps (
  job_id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- the how-manieth step of the run it was when it was recorded
  position INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('step', 'sleep', 'event', 'job')),
  status TEXT NOT NULL CHECK (status IN ('running', 'success', 'failure')),
  attempts INTEGER NOT NULL DEFAULT 1,
  -- of a failure: 0 it was thrown, 1 the script went on to a suspension after it, so that it is thrown again and the step
  -- not repeated, 2 it is still to be thrown (a called job failed while its caller was suspended)
  caught INTEGER NOT NULL DEFAULT 0 CHECK (caught IN (0, 1, 2)),
  started_at INTEGER NOT NULL,
  completed_at INTEGER,
  -- while it runs: when a sleep ends, a wait is given up, a step is tried again
  due_at INTEGER,
  -- the called job
  child_id TEXT,
  -- encrypted; of a called job as it stands in the job
  error TEXT,
  result TEXT,
  PRIMARY KEY (job_id, name),
  CHECK ((completed_at IS NULL) = (status = 'running'))
) STRICT, WITHOUT ROWID;
CREATE INDEX job_steps_by_position ON job_steps (job_id, position, name);

-- In which order results of steps came to the script, and what ctx.now(), ctx.random() and ctx.uuid() gave it: entries from
-- this number on, encrypted. They go with their job.
CREATE TABLE job_history (
  job_id TEXT NOT NULL,
  first INTEGER NOT NULL,
  entries TEXT NOT NULL,
  PRIMARY KEY (job_id, first)
) STRICT, WITHOUT ROWID;

-- Who waits for an event: a step of a durable job, or a step of a flow run.
CREATE TABLE event_waits (
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL,
  name TEXT NOT NULL,
  -- NULL fits only events without a key
  key TEXT,
  owner_kind TEXT NOT NULL CHECK (owner_kind IN ('job', 'flow')),
  owner_id TEXT NOT NULL,
  -- the name of the job's step, or the key of the flow's step
  step TEXT NOT NULL,
  position INTEGER NOT NULL,
  -- when the job or run first started: older events do not count
  began_at INTEGER NOT NULL,
  timeout_at INTEGER,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'received', 'timed_out', 'canceled')),
  -- the event that it took
  event_id TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK ((ended_at IS NULL) = (status = 'open')),
  CHECK ((event_id IS NOT NULL) = (status = 'received'))
) STRICT, WITHOUT ROWID;
CREATE INDEX event_waits_open ON event_waits (ws, name, key, id) WHERE status = 'open';
CREATE INDEX event_waits_by_owner ON event_waits (owner_id, event_id);
CREATE INDEX event_waits_due ON event_waits (timeout_at) WHERE status = 'open' AND owner_kind = 'flow' AND timeout_at IS NOT NULL;

-- Suspended jobs are counted apart (ready = 2): they wait for no worker.
DROP TRIGGER queue_counts_insert;
DROP TRIGGER queue_counts_leave;
DROP TRIGGER queue_counts_enter;
DROP TRIGGER queue_counts_delete;

CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER queue_counts_leave AFTER UPDATE OF status, ready, tag ON jobs
WHEN OLD.status = 'queued' AND (NEW.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)
BEGIN
  UPDATE queue_counts SET n = n - 1
  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app
    AND ready = CASE WHEN OLD.ready = 0 AND OLD.suspended_kind IS NOT NULL THEN 2 ELSE OLD.ready END;
END;

CREATE TRIGGER queue_counts_enter AFTER UPDATE OF status, ready, tag ON jobs
WHEN NEW.status = 'queued' AND (OLD.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app,
    CASE WHEN NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL THEN 2 ELSE NEW.ready END, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER queue_counts_delete AFTER DELETE ON jobs WHEN OLD.status = 'queued'
BEGIN
  UPDATE queue_counts SET n = n - 1
  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app
    AND ready = CASE WHEN OLD.ready = 0 AND OLD.suspended_kind IS NOT NULL THEN 2 ELSE OLD.ready END;
END;

-- The end of a called job ends the step that waits for it and wakes its caller, whatever ended it.
CREATE TRIGGER jobs_call_ended AFTER UPDATE OF status ON jobs
WHEN NEW.called_by IS NOT NULL AND NEW.completed_at IS NOT NULL
BEGIN
  UPDATE job_steps SET status = CASE NEW.status WHEN 'success' THEN 'success' ELSE 'failure' END,
    completed_at = NEW.completed_at,
    caught = CASE NEW.status WHEN 'success' THEN 0 ELSE 2 END,
    result = CASE NEW.status WHEN 'success' THEN NEW.result END,
    error = CASE NEW.status WHEN 'success' THEN NULL ELSE NEW.result END
  WHERE job_id = NEW.called_by AND name = NEW.called_step AND child_id = NEW.id AND status = 'running';
  UPDATE jobs SET ready = 1, blocked = 0, run_at = NEW.completed_at
  WHERE ws = NEW.ws AND id = NEW.called_by AND status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL;
END;

-- A job that has ended waits for nothing.
CREATE TRIGGER jobs_waits_ended AFTER UPDATE OF status ON jobs
WHEN NEW.began_at IS NOT NULL AND NEW.completed_at IS NOT NULL
BEGIN
  UPDATE event_waits SET status = 'canceled', ended_at = NEW.completed_at WHERE owner_id = NEW.id AND status = 'open';
END;
