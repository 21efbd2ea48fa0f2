-- Byte budgets of flow runs, inputs of loops that are kept once, and runs that wait for room in the queue.

-- bytes of the results of all steps that have ended, and of the slots of the step that the run is at
ALTER TABLE flow_runs ADD COLUMN result_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE flow_runs ADD COLUMN slot_bytes INTEGER NOT NULL DEFAULT 0;
-- 1: the workspace's queue was full, so that slots of the step have not begun
ALTER TABLE flow_runs ADD COLUMN awaits_room INTEGER NOT NULL DEFAULT 0;
CREATE INDEX flow_runs_awaiting_room ON flow_runs (ws, id) WHERE awaits_room = 1;

-- of a loop: what the inputs of its items have in common, encrypted
ALTER TABLE flow_steps ADD COLUMN frame TEXT;
-- 1: `input` holds the item, from which and the step's frame the input is made; 0: the input itself
ALTER TABLE flow_slots ADD COLUMN is_item INTEGER NOT NULL DEFAULT 0;

-- runs under way: what is encrypted is a third longer than what it holds
UPDATE flow_runs SET
  result_bytes = (SELECT COALESCE(SUM(LENGTH(s.result)), 0) * 3 / 4 FROM flow_steps s WHERE s.run_id = flow_runs.id),
  slot_bytes = (SELECT COALESCE(SUM(LENGTH(j.result)), 0) * 3 / 4 FROM jobs j INDEXED BY jobs_by_flow
    WHERE j.flow_run_id = flow_runs.id AND j.flow_index = flow_runs.step_index AND j.status = 'success')
WHERE completed_at IS NULL;
