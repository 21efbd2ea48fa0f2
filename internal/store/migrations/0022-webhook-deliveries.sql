-- The last deliveries of each webhook: how each was answered and what it started. No body, header or secret is kept here;
-- the body of an accepted delivery is the input of its job or flow run.
CREATE TABLE webhook_deliveries (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  webhook TEXT NOT NULL,
  id TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  -- the HTTP status of the answer
  status INTEGER NOT NULL,
  -- why it was refused, or repeats another one; NULL: it started something
  reason TEXT,
  job_id TEXT,
  flow_run_id TEXT,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (ws, app, webhook, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (received_at);
