-- Notifications of workspaces: what happened, whom it is for, and how each delivery went. Triggers write a row in the batch
-- that changes the state, so no crash loses one, whatever ended the job or run.
ALTER TABLE workspaces ADD COLUMN notify TEXT;

CREATE TABLE notifications (
  ws TEXT NOT NULL,
  -- event, what it is about, and the place of the rule: an event is written once for each rule
  id TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN
    ('job_failed', 'flow_failed', 'schedule_disabled', 'approval_waiting', 'test')),
  -- id of the job, flow run or schedule; of a test its own
  subject TEXT NOT NULL,
  -- of an approval
  step_index INTEGER,
  -- `to` of the rule as it was then
  target TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- attempts that began; whoever records the outcome names its own
  attempts INTEGER NOT NULL DEFAULT 0,
  -- when the next attempt is due; while one is under way, when it counts as lost
  next_at INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- HTTP status of the last attempt
  last_status INTEGER,
  last_error TEXT,
  PRIMARY KEY (ws, id),
  CHECK ((next_at IS NULL) = (status <> 'pending')),
  CHECK ((ended_at IS NULL) = (status = 'pending'))
) STRICT, WITHOUT ROWID;
CREATE INDEX notifications_due ON notifications (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX notifications_by_time ON notifications (ws, created_at, id);
CREATE INDEX notifications_ended ON notifications (ended_at) WHERE ended_at IS NOT NULL;

CREATE TRIGGER notify_job_failed AFTER UPDATE OF status ON jobs
WHEN NEW.status = 'failure' AND OLD.status <> 'failure' AND NEW.flow_run_id IS NULL
BEGIN
  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
  SELECT w.id, 'job_failed:' || NEW.id || ':' || rule.key, 'job_failed', NEW.id, rule.value ->> '$.to',
    NEW.completed_at, NEW.completed_at
  FROM workspaces w, json_each(w.notify) rule
  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'job_failed')
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER notify_flow_failed AFTER UPDATE OF status ON flow_runs
WHEN NEW.status = 'failed' AND OLD.status <> 'failed' AND NEW.parent_run_id IS NULL
BEGIN
  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
  SELECT w.id, 'flow_failed:' || NEW.id || ':' || rule.key, 'flow_failed', NEW.id, rule.value ->> '$.to',
    NEW.completed_at, NEW.completed_at
  FROM workspaces w, json_each(w.notify) rule
  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'flow_failed')
  ON CONFLICT DO NOTHING;
END;

-- a run that fails as it starts
CREATE TRIGGER notify_flow_failed_at_start AFTER INSERT ON flow_runs
WHEN NEW.status = 'failed' AND NEW.parent_run_id IS NULL
BEGIN
  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
  SELECT w.id, 'flow_failed:' || NEW.id || ':' || rule.key, 'flow_failed', NEW.id, rule.value ->> '$.to',
    NEW.completed_at, NEW.completed_at
  FROM workspaces w, json_each(w.notify) rule
  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'flow_failed')
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER notify_approval_waiting AFTER UPDATE OF status, step_index ON flow_runs
WHEN NEW.status = 'waiting_approval' AND (OLD.status <> 'waiting_approval' OR OLD.step_index <> NEW.step_index)
BEGIN
  INSERT INTO notifications (ws, id, event, subject, step_index, target, next_at, created_at)
  SELECT w.id, 'approval_waiting:' || NEW.id || '/' || NEW.step_index || ':' || rule.key, 'approval_waiting', NEW.id,
    NEW.step_index, rule.value ->> '$.to', now.ms, now.ms
  FROM workspaces w, json_each(w.notify) rule, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS ms) now
  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'approval_waiting')
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER notify_approval_waiting_at_start AFTER INSERT ON flow_runs
WHEN NEW.status = 'waiting_approval'
BEGIN
  INSERT INTO notifications (ws, id, event, subject, step_index, target, next_at, created_at)
  SELECT w.id, 'approval_waiting:' || NEW.id || '/' || NEW.step_index || ':' || rule.key, 'approval_waiting', NEW.id,
    NEW.step_index, rule.value ->> '$.to', NEW.created_at, NEW.created_at
  FROM workspaces w, json_each(w.notify) rule
  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'approval_waiting')
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER notify_schedule_disabled AFTER UPDATE OF disabled_reason ON schedules
WHEN NEW.disabled_reason IS NOT NULL AND OLD.disabled_reason IS NULL
BEGIN
  INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
  SELECT w.id, 'schedule_disabled:' || NEW.id || '/' || NEW.version || ':' || rule.key, 'schedule_disabled', NEW.id,
    rule.value ->> '$.to', now.ms, now.ms
  FROM workspaces w, json_each(w.notify) rule, (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS ms) now
  WHERE w.id = NEW.ws AND EXISTS (SELECT 1 FROM json_each(rule.value, '$.on') wanted WHERE wanted.value = 'schedule_disabled')
  ON CONFLICT DO NOTHING;
END;
