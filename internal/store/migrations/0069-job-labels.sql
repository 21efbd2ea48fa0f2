-- expansion
-- Labels by which jobs are found (core/job/labels.ts).
CREATE TABLE job_labels (
  ws TEXT NOT NULL,
  job_id TEXT NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (ws, job_id, label)
) STRICT, WITHOUT ROWID;
-- Jobs of a label, in order of their ids.
CREATE INDEX job_labels_found ON job_labels (ws, label, job_id);
