-- expansion
-- The write that makes a job ready after a sleep ends the sleep too. Before, the next attempt needed a commit of its own for that.
-- The steps of a held workspace stay as they are, because a move compares them with their copy.
CREATE TRIGGER jobs_awake AFTER UPDATE OF ready ON jobs
WHEN OLD.ready = 0 AND NEW.ready = 1 AND NEW.suspended_kind = 'sleep' AND NEW.status = 'queued'
  AND NEW.ws NOT IN (SELECT ws FROM held_workspaces)
BEGIN
  UPDATE job_steps SET status = 'success', completed_at = due_at
  WHERE job_id = NEW.id AND kind = 'sleep' AND status = 'running' AND due_at <= CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
