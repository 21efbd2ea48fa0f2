-- contraction, serves 41
-- Fire times stay until their retention, also those of deleted schedules: a cascade would delete all of a schedule in one statement,
-- which takes seconds for millions of them. SQLite cannot remove a foreign key, so the table is built again.
CREATE TABLE schedule_slots_rebuilt (
  schedule_id TEXT NOT NULL,
  slot INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('fired', 'skipped')),
  job_id TEXT,
  flow_run_id TEXT,
  -- of skipped ones: the last of the run, how many (at most 1000 are counted), and why
  last_slot INTEGER,
  count INTEGER NOT NULL DEFAULT 1,
  reason TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (schedule_id, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO schedule_slots_rebuilt (schedule_id, slot, outcome, job_id, flow_run_id, last_slot, count, reason, at)
SELECT schedule_id, slot, outcome, job_id, flow_run_id, last_slot, count, reason, at FROM schedule_slots ORDER BY schedule_id, slot;
DROP TABLE schedule_slots;
ALTER TABLE schedule_slots_rebuilt RENAME TO schedule_slots;
CREATE INDEX schedule_slots_by_age ON schedule_slots (at);
