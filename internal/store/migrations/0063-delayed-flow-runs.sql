-- expansion
-- What ctx.startFlow chooses for all jobs of a run. A run that starts later has step_index -1 and wait_until until then.
ALTER TABLE flow_runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE flow_runs ADD COLUMN tag TEXT;
