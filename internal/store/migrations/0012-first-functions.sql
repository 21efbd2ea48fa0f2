-- Since when an app has functions without a break. Of several apps of one key the first one keeps <app>.<SVC_APPS_DOMAIN>:
-- nobody takes the live address of another workspace by deploying an app of the same key.
ALTER TABLE apps ADD COLUMN functions_since INTEGER;
UPDATE apps SET functions_since =
  (SELECT min(f.deployed_at) FROM app_functions f WHERE f.ws = apps.ws AND f.app = apps.key);

CREATE TRIGGER apps_have_functions_since AFTER INSERT ON app_functions
BEGIN
  UPDATE apps SET functions_since = NEW.deployed_at
  WHERE ws = NEW.ws AND key = NEW.app AND functions_since IS NULL;
END;
CREATE TRIGGER apps_have_no_functions AFTER DELETE ON app_functions
BEGIN
  UPDATE apps SET functions_since = NULL
  WHERE ws = OLD.ws AND key = OLD.app
    AND NOT EXISTS (SELECT 1 FROM app_functions f WHERE f.ws = OLD.ws AND f.app = OLD.app);
END;
