-- The key of the schedule in the manifest of the app that manages it; NULL: a person manages it.
ALTER TABLE schedules ADD COLUMN managed_key TEXT;
-- Of a managed schedule: `enabled` in the manifest. What the API sets stays until this changes.
ALTER TABLE schedules ADD COLUMN manifest_enabled INTEGER CHECK (manifest_enabled IN (0, 1));
CREATE UNIQUE INDEX schedules_by_managed_key ON schedules (ws, app, managed_key) WHERE managed_key IS NOT NULL;
