-- The trace of a job or flow run, where its caller named one. Jobs of a flow have that of their run.
CREATE TABLE traces (
  owner_id TEXT PRIMARY KEY,
  traceparent TEXT NOT NULL
) STRICT, WITHOUT ROWID;
