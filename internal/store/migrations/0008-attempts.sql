-- Attempts that did not end their job: the action's retry, a lost worker, a worker that stopped. The last one stands in the
-- job itself, so that a job which succeeds at once costs nothing here. They go with their job.
CREATE TABLE job_attempts (
  job_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('failure', 'worker_lost', 'handed_back')),
  worker TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  -- `{name, message}`, encrypted where the job's result is
  error TEXT,
  PRIMARY KEY (job_id, attempt)
) STRICT, WITHOUT ROWID;
