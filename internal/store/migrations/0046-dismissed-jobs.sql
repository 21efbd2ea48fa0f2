-- expansion
-- Failed jobs that a person has dealt with. Rows of ended jobs never change, so it is on record here.
CREATE TABLE job_dismissals (
  ws TEXT NOT NULL,
  job_id TEXT NOT NULL,
  dismissed_by TEXT NOT NULL,
  dismissed_at INTEGER NOT NULL,
  PRIMARY KEY (ws, job_id)
) STRICT, WITHOUT ROWID;
