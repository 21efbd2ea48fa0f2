-- Approvals that remind people: when the next reminder is due.
ALTER TABLE flow_runs ADD COLUMN remind_at INTEGER;
CREATE INDEX flow_runs_by_reminder ON flow_runs (remind_at) WHERE remind_at IS NOT NULL;
