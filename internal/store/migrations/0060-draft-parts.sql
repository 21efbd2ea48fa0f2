-- expansion
-- The texts of a large draft, in parts, because a node does nothing else while it writes or reads a value of megabytes. The column
-- `files` of such a draft is `{"parts": [[path, [hash of each part]], …]}`. An older node cannot read it, and may replace it.
CREATE TABLE draft_parts (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  app TEXT NOT NULL,
  -- SHA-256 of the content, in hexadecimal
  hash TEXT NOT NULL,
  -- the JSON of a part of a text, without quotes
  content TEXT NOT NULL,
  PRIMARY KEY (ws, app, hash)
) STRICT;

CREATE TRIGGER draft_parts_deleted AFTER DELETE ON drafts
BEGIN
  DELETE FROM draft_parts WHERE ws = OLD.ws AND app = OLD.app;
END;
