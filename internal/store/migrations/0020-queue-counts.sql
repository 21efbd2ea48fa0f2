-- Queued jobs by workspace, tag, app and readiness. Counting a queue of a million rows takes a second on the thread that
-- answers every request; these few rows are read in a millisecond. The triggers keep them in the same batch as the jobs,
-- so they are always what count(*) over the queued jobs would give. Rows of 0 are removed with retention.
CREATE TABLE queue_counts (
  ws TEXT NOT NULL,
  tag TEXT NOT NULL,
  app TEXT NOT NULL,
  ready INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (ws, tag, app, ready)
) STRICT, WITHOUT ROWID;

INSERT INTO queue_counts (ws, tag, app, ready, n)
SELECT ws, tag, app, ready, count(*) FROM jobs INDEXED BY jobs_open
WHERE completed_at IS NULL AND status = 'queued' GROUP BY ws, tag, app, ready;

CREATE TRIGGER queue_counts_insert AFTER INSERT ON jobs WHEN NEW.status = 'queued'
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER queue_counts_leave AFTER UPDATE OF status, ready, tag ON jobs
WHEN OLD.status = 'queued' AND (NEW.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)
BEGIN
  UPDATE queue_counts SET n = n - 1
  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;
END;

CREATE TRIGGER queue_counts_enter AFTER UPDATE OF status, ready, tag ON jobs
WHEN NEW.status = 'queued' AND (OLD.status <> 'queued' OR NEW.ready <> OLD.ready OR NEW.tag <> OLD.tag)
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, NEW.ready, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER queue_counts_delete AFTER DELETE ON jobs WHEN OLD.status = 'queued'
BEGIN
  UPDATE queue_counts SET n = n - 1
  WHERE ws = OLD.ws AND tag = OLD.tag AND app = OLD.app AND ready = OLD.ready;
END;

-- The job of a tag that has been due for longest is the first entry of its tag.
CREATE INDEX jobs_due ON jobs (ws, tag, run_at) WHERE status = 'queued' AND ready = 1;
