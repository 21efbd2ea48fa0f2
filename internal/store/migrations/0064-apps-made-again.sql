-- expansion
-- Another value for an app that is made again under the same key; NULL: made before this migration.
ALTER TABLE apps ADD COLUMN creation_id TEXT;

-- For which app a deployment was made. Jobs of a deleted app may still run when another app has its key. A deployment of an app
-- whose creation_id is NULL has no row. A table of its own, because a row of deployments is long.
CREATE TABLE deployment_apps (
  ws TEXT NOT NULL,
  deployment_id TEXT NOT NULL,
  creation_id TEXT NOT NULL,
  PRIMARY KEY (ws, deployment_id)
) STRICT, WITHOUT ROWID;

-- Triggers, so that apps that older nodes make or deploy are told apart too. The rows of a held workspace come from its copy.
-- This code deletes what a deleted app has left before it makes another one, in small writes. Older code does not.
CREATE TRIGGER apps_made AFTER INSERT ON apps
WHEN NEW.ws NOT IN (SELECT ws FROM held_workspaces)
BEGIN
  DELETE FROM app_state WHERE ws = NEW.ws AND app = NEW.key;
  DELETE FROM webhook_deliveries WHERE ws = NEW.ws AND app = NEW.key;
  UPDATE apps SET creation_id = lower(hex(randomblob(8))) WHERE ws = NEW.ws AND key = NEW.key;
  INSERT INTO deployment_apps (ws, deployment_id, creation_id)
  SELECT ws, deployment_id, creation_id FROM apps WHERE ws = NEW.ws AND key = NEW.key AND deployment_id IS NOT NULL
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER apps_deployed AFTER UPDATE OF deployment_id ON apps
WHEN NEW.deployment_id IS NOT NULL AND NEW.creation_id IS NOT NULL AND NEW.ws NOT IN (SELECT ws FROM held_workspaces)
BEGIN
  INSERT INTO deployment_apps (ws, deployment_id, creation_id)
  VALUES (NEW.ws, NEW.deployment_id, NEW.creation_id)
  ON CONFLICT DO NOTHING;
END;
