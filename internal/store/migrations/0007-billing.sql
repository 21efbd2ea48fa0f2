-- Prepaid credit of workspaces (document 2, Authentication 5; contract, fine print 19). A balance is the sum of its
-- entries and is kept nowhere beside them, so that the two can never differ.
CREATE TABLE credit_entries (
  ws TEXT NOT NULL REFERENCES workspaces (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('opening', 'credit', 'charge')),
  -- negative when it is taken away; 0 for a call that was served while billing was off
  amount_won INTEGER NOT NULL CHECK (kind <> 'charge' OR amount_won <= 0),
  note TEXT,
  -- of a charge, which is the record of the call, too: what was called, by which key, in which request
  route TEXT,
  api_key_id TEXT,
  request_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ws, id),
  CHECK ((kind = 'charge') = (route IS NOT NULL AND request_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- the sum reads nothing else
CREATE INDEX credit_entries_by_amount ON credit_entries (ws, amount_won);

CREATE TRIGGER credit_entries_are_final BEFORE UPDATE ON credit_entries
BEGIN
  SELECT RAISE(ABORT, 'an entry of credit never changes');
END;

-- Refuses paid calls; everything else goes on.
ALTER TABLE workspaces ADD COLUMN suspended_at INTEGER;

-- What the first start gives (core/billing/balance.ts), for databases that had theirs before there was billing.
INSERT INTO credit_entries (ws, id, kind, amount_won, created_at)
SELECT id, '00000000-0000-7000-8000-000000000000', 'opening', 100000, created_at FROM workspaces WHERE id = 'default';
