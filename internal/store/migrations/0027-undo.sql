-- 1: a restart took the step over from an earlier run, so that this run does not undo it
ALTER TABLE flow_steps ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 0;
