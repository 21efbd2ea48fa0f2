-- expansion
-- The latest start of a job whose action has `startTimeoutS`, in milliseconds since 1970.
ALTER TABLE jobs ADD COLUMN start_by INTEGER;
CREATE INDEX jobs_to_start ON jobs (start_by, id, ws, status, attempt)
  WHERE start_by IS NOT NULL AND status = 'queued' AND attempt = 0;
