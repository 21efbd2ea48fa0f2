-- What a fire time does while the former run of its schedule has not ended.
ALTER TABLE schedules ADD COLUMN overlap TEXT NOT NULL DEFAULT 'allow' CHECK (overlap IN ('allow', 'skip', 'queue'));
