-- expansion
-- Which token made a token, so that revoking it also revokes what it made.
ALTER TABLE tokens ADD COLUMN made_by TEXT;
CREATE INDEX tokens_by_maker ON tokens (made_by) WHERE made_by IS NOT NULL;
