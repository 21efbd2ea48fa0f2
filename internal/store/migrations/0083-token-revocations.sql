-- expansion
-- Revoked tokens that made very many others, while some of those are still to be revoked. None of those is valid meanwhile.
CREATE TABLE token_revocations (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  token_id TEXT NOT NULL,
  -- the token that revoked it, which stays valid with what it made; an empty text: none
  spared_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (ws, token_id, spared_id)
) STRICT, WITHOUT ROWID;
