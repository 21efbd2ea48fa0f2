-- expansion
-- The job with which the run is canceled: it has started the run so. NULL: the run goes on whatever becomes of what started it.
ALTER TABLE flow_runs ADD COLUMN canceled_with TEXT;
CREATE INDEX flow_runs_open_of_job ON flow_runs (canceled_with) WHERE canceled_with IS NOT NULL AND completed_at IS NULL;

-- A job is canceled by several writes, so a trigger marks its runs. The next transition of each run processes the mark.
CREATE TRIGGER jobs_cancel_runs AFTER UPDATE OF status ON jobs
WHEN NEW.status = 'canceled' AND OLD.status <> 'canceled'
BEGIN
  UPDATE flow_runs SET cancel_reason = COALESCE(cancel_reason, NEW.cancel_reason, 'The job that started the run was canceled.'),
    version = version + 1
  WHERE canceled_with = NEW.id AND ws = NEW.ws AND completed_at IS NULL;
END;
