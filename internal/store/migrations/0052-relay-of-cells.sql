-- contraction, serves 41
-- The certificate relay keeps the sessions of all workspaces in the first database, also of those in other cells: their codes are
-- unique there, and a session outlives a move of its workspace. So a session refers to no row of a workspace any longer. Older code
-- reads and writes the same columns.
CREATE TABLE relay_sessions_rebuilt (
  -- certId: random, since whoever knows it may upload
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL,
  key_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'uploaded', 'delivered', 'expired', 'cancelled')),
  -- gone with the session's end, so that its code is free again
  code_hash TEXT,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- of the write that made the last change: it may be repeated when nobody knows whether it was done
  change_id TEXT,
  CHECK ((ended_at IS NULL) = (state IN ('waiting', 'uploaded'))),
  CHECK ((code_hash IS NULL) = (ended_at IS NOT NULL))
) STRICT;
INSERT INTO relay_sessions_rebuilt (id, ws, key_id, state, code_hash, expires_at, created_at, ended_at, change_id)
  SELECT id, ws, key_id, state, code_hash, expires_at, created_at, ended_at, change_id FROM relay_sessions;
DROP TABLE relay_sessions;
ALTER TABLE relay_sessions_rebuilt RENAME TO relay_sessions;
CREATE UNIQUE INDEX relay_sessions_by_code ON relay_sessions (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX relay_sessions_live ON relay_sessions (expires_at) WHERE ended_at IS NULL;
CREATE INDEX relay_sessions_live_of ON relay_sessions (ws) WHERE ended_at IS NULL;
CREATE INDEX relay_sessions_ended ON relay_sessions (ended_at) WHERE ended_at IS NOT NULL;

-- Whatever ends a session, what it held is zeros in the same commit.
CREATE TRIGGER relay_sessions_ended_holds_nothing AFTER UPDATE ON relay_sessions
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  UPDATE relay_material SET material = zeroblob(length(material)) WHERE id = NEW.id;
END;

CREATE TRIGGER relay_sessions_ended_is_final BEFORE UPDATE ON relay_sessions
WHEN OLD.ended_at IS NOT NULL AND NEW.change_id IS NOT OLD.change_id
BEGIN
  SELECT RAISE(ABORT, 'an ended relay session never changes');
END;
