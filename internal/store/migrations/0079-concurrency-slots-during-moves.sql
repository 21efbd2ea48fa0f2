-- contraction, serves 41
-- A run that begins to wait gets a free slot also while its workspace prepares to move: jobs that still run may start such runs, and
-- nothing else would give them the slot after the move. Only a workspace that is copied here is left as it is.
DROP TRIGGER flow_runs_begin_to_wait;
CREATE TRIGGER flow_runs_begin_to_wait AFTER INSERT ON flow_runs
WHEN NEW.concurrency_state = 'waiting' AND NEW.ws NOT IN (SELECT ws FROM held_workspaces WHERE file_id NOT GLOB '* moving')
BEGIN
  UPDATE flow_runs SET concurrency_state = 'waiting' WHERE ws = NEW.ws AND id = NEW.id;
END;
