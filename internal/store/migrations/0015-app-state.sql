-- Another value after each write, also after a delete in between: compare-and-set tells by it that nobody else wrote.
ALTER TABLE app_state ADD COLUMN version TEXT NOT NULL DEFAULT '0';
-- Keys alone: values may be large, and lists and counts of keys must not read them.
CREATE INDEX app_state_keys ON app_state (ws, app, key);
