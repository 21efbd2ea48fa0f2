-- Certificate relay (document 2). Nothing here opens anything by itself: codes stand as keyed hashes, certificates and keys
-- encrypted and bound to their row. They are overwritten in place as soon as the session has ended, however it did.
CREATE TABLE relay_sessions (
  -- certId: random, since whoever knows it may upload
  id TEXT PRIMARY KEY,
  ws TEXT NOT NULL REFERENCES workspaces (id),
  key_id TEXT NOT NULL REFERENCES api_keys (key_id),
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
CREATE UNIQUE INDEX relay_sessions_by_code ON relay_sessions (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX relay_sessions_live ON relay_sessions (expires_at) WHERE ended_at IS NULL;
CREATE INDEX relay_sessions_live_of ON relay_sessions (ws) WHERE ended_at IS NULL;
CREATE INDEX relay_sessions_ended ON relay_sessions (ended_at) WHERE ended_at IS NOT NULL;

-- {certDer, certKey}, encrypted. A row of its own: only a row whose length stays is overwritten where it lies, page by page;
-- one that changes its length leaves its old pages to the free list as they are.
CREATE TABLE relay_material (
  id TEXT PRIMARY KEY,
  material BLOB NOT NULL
) STRICT;

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
