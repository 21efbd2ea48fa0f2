-- expansion
-- Labels by which flow runs are found (core/job/labels.ts).
CREATE TABLE flow_run_labels (
  ws TEXT NOT NULL,
  run_id TEXT NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (ws, run_id, label)
) STRICT, WITHOUT ROWID;
-- Runs of a label, in order of their ids.
CREATE INDEX flow_run_labels_found ON flow_run_labels (ws, label, run_id);
