-- A fire time that waits for room in its workspace's queue, and jumps of the database's clock.

-- Since when the fire time `next_fire_at` has waited for room; NULL: it does not wait. Those that wait stand in an index
-- of their own, by workspace, so that they hold up nobody else's.
ALTER TABLE schedules ADD COLUMN waiting_since INTEGER;
DROP INDEX schedules_due;
CREATE INDEX schedules_due ON schedules (next_fire_at) WHERE enabled = 1 AND waiting_since IS NULL;
CREATE INDEX schedules_waiting ON schedules (ws, next_fire_at) WHERE enabled = 1 AND waiting_since IS NOT NULL;

-- Each jump of the database's clock that was dealt with: the key lets one node alone do it.
CREATE TABLE clock_jumps (
  epoch INTEGER PRIMARY KEY,
  -- of the batch that dealt with it
  id TEXT NOT NULL,
  -- by the clock as it was after the jump
  at INTEGER NOT NULL,
  -- milliseconds forward, or back when negative
  by_ms INTEGER NOT NULL,
  -- the node that dealt with it
  node TEXT NOT NULL,
  leases INTEGER NOT NULL DEFAULT 0,
  schedules INTEGER NOT NULL DEFAULT 0
) STRICT;
