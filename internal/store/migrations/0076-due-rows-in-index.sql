-- contraction, serves 41
-- The lists of due waits and reminders read their indexes alone. With 10,000 waits of a workspace that were over at the same time, each
-- page sorted and read the rows of all of them, in 200 ms.
DROP INDEX flow_runs_by_deadline;
CREATE INDEX flow_runs_by_deadline ON flow_runs (wait_until, id, ws, step_index, concurrency_state) WHERE wait_until IS NOT NULL;
DROP INDEX flow_runs_by_reminder;
CREATE INDEX flow_runs_by_reminder ON flow_runs (remind_at, id, ws, step_index) WHERE remind_at IS NOT NULL;
-- The same for due schedules: 10,000 of a workspace that fire in the same minute took 130 ms for each page.
DROP INDEX schedules_due;
CREATE INDEX schedules_due ON schedules (next_fire_at, id, ws, enabled, waiting_since) WHERE enabled = 1 AND waiting_since IS NULL;
