-- expansion
-- Workspaces whose import has not ended. Until then nothing of them is claimed, fired, sent, swept or shown. The last batch
-- of the import deletes the row.
CREATE TABLE held_workspaces (
  ws TEXT PRIMARY KEY,
  -- the file that is imported, by the identity in its header
  file_id TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- An import inserts suspended jobs, which are counted apart (ready = 2). The trigger for every queued job has counted it, or will
-- count it, under ready = 0.
CREATE TRIGGER queue_counts_insert_suspended AFTER INSERT ON jobs
WHEN NEW.status = 'queued' AND NEW.ready = 0 AND NEW.suspended_kind IS NOT NULL
BEGIN
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, 0, -1)
  ON CONFLICT DO UPDATE SET n = n - 1;
  INSERT INTO queue_counts (ws, tag, app, ready, n) VALUES (NEW.ws, NEW.tag, NEW.app, 2, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;
