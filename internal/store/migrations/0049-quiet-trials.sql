-- expansion
-- A person who tries a draft looks at its failures, so a trial (an app named <app>--try-<8 hex digits>) notifies nobody. The row is
-- made by triggers on the ends of jobs and runs, which older code fires as well, so it is taken back here.
CREATE TRIGGER notifications_of_trials AFTER INSERT ON notifications
WHEN NEW.event IN ('job_failed', 'flow_failed', 'approval_waiting')
BEGIN
  DELETE FROM notifications WHERE ws = NEW.ws AND id = NEW.id AND EXISTS (
    SELECT 1 FROM jobs WHERE ws = NEW.ws AND jobs.id = NEW.subject
      AND app GLOB '*--try-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
    UNION ALL SELECT 1 FROM flow_runs WHERE ws = NEW.ws AND flow_runs.id = NEW.subject
      AND app GLOB '*--try-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]');
END;
