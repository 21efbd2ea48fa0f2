-- expansion
-- Milliseconds that the current attempt of a durable job ran before its last suspension, so that the ledger counts all of them.
ALTER TABLE jobs ADD COLUMN ran_ms INTEGER NOT NULL DEFAULT 0;
