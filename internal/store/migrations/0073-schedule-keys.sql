-- contraction, serves 41
-- The key by which callers of the API find their schedule and replace it; NULL: it has none, or the manifest manages it. Older code
-- writes NULL, so the index refuses none of its writes.
ALTER TABLE schedules ADD COLUMN key TEXT;
CREATE UNIQUE INDEX schedules_by_key ON schedules (ws, app, key) WHERE key IS NOT NULL;
