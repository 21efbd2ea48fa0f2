-- expansion
-- Failed flow runs that a person has dealt with. Rows of ended runs never change, so it is on record here.
CREATE TABLE flow_run_dismissals (
  ws TEXT NOT NULL,
  run_id TEXT NOT NULL,
  dismissed_by TEXT NOT NULL,
  dismissed_at INTEGER NOT NULL,
  PRIMARY KEY (ws, run_id)
) STRICT, WITHOUT ROWID;
