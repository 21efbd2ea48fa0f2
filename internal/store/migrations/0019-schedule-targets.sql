-- 1: svc switched the schedule off because its target was gone. It goes on when a deployment brings the target back.
ALTER TABLE schedules ADD COLUMN target_gone INTEGER NOT NULL DEFAULT 0 CHECK (target_gone IN (0, 1));
UPDATE schedules SET target_gone = 1 WHERE enabled = 0 AND disabled_reason LIKE 'The % no longer exists.';
CREATE INDEX schedules_without_target ON schedules (ws, app) WHERE target_gone = 1;
