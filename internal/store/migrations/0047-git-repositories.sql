-- expansion
-- Repositories of apps that are pushed to. Servers keep copies of them, which they bring up to date before they use them.
CREATE TABLE git_repositories (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  -- another one for an app that is made again under the same key
  id TEXT NOT NULL,
  -- {name: object id}
  refs TEXT NOT NULL,
  -- the push that changed it last; a copy with the same one is up to date
  push_id TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (ws, app)
) STRICT, WITHOUT ROWID;

CREATE TABLE git_packs (
  ws TEXT NOT NULL,
  repository_id TEXT NOT NULL,
  -- the hash of its content, as git names it
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  -- the push that brought it; null: not accepted yet, or no longer of use
  push_id TEXT,
  begun_at INTEGER NOT NULL,
  PRIMARY KEY (ws, repository_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX git_packs_unused ON git_packs (begun_at) WHERE push_id IS NULL;

CREATE TABLE git_pack_chunks (
  ws TEXT NOT NULL,
  repository_id TEXT NOT NULL,
  name TEXT NOT NULL,
  seq INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (ws, repository_id, name, seq)
) STRICT;
