-- expansion
-- Open subflow runs by their parent. A step may have thousands that have ended, which a cancel must not read.
CREATE INDEX flow_runs_open_by_parent ON flow_runs (parent_run_id, parent_index)
WHERE parent_run_id IS NOT NULL AND completed_at IS NULL;
