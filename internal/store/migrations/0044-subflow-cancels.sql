-- expansion
-- Why the run above has canceled a subflow, until the subflow's own transition takes the cancel up. NULL: nothing is to be canceled.
ALTER TABLE flow_runs ADD COLUMN cancel_reason TEXT;
CREATE INDEX flow_runs_to_cancel ON flow_runs (ws, id) WHERE cancel_reason IS NOT NULL AND completed_at IS NULL;
