-- expansion
-- Versions of functions that were deployed, by app. function_versions shares them between workspaces by name and hash, and the
-- hash covers the sources only: a bundle that an import brought could become the code of another workspace. Older code still
-- reads and writes that table.
CREATE TABLE app_function_versions (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),
  definition TEXT NOT NULL,
  files TEXT NOT NULL,
  shared TEXT NOT NULL,
  entrypoint TEXT NOT NULL,
  PRIMARY KEY (ws, app, name, hash)
) STRICT, WITHOUT ROWID;

-- What an app runs was deployed to it, so it comes before what the name and hash lead to. A held workspace gets its rows with its
-- copy, unless it is the one that is moved.
INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)
SELECT f.ws, f.app, f.name, f.hash, f.bundle_hash, f.definition, f.files, f.shared, f.entrypoint
FROM app_functions f
WHERE f.ws NOT IN (SELECT ws FROM held_workspaces WHERE file_id NOT GLOB '* moving');

INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)
SELECT DISTINCT d.ws, d.app, v.name, v.hash, v.bundle_hash, v.definition, v.files, v.shared, v.entrypoint
FROM deployments d JOIN json_each(CASE WHEN json_valid(d.functions) THEN d.functions END) e
  JOIN function_versions v ON v.name = e.key AND v.hash = e.value
WHERE d.ws NOT IN (SELECT ws FROM held_workspaces WHERE file_id NOT GLOB '* moving')
ON CONFLICT DO NOTHING;

-- Triggers, so that functions that older nodes deploy are kept too. The rows of a held workspace come from its copy.
CREATE TRIGGER app_functions_kept_insert AFTER INSERT ON app_functions
WHEN NEW.ws NOT IN (SELECT ws FROM held_workspaces)
BEGIN
  INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)
  VALUES (NEW.ws, NEW.app, NEW.name, NEW.hash, NEW.bundle_hash, NEW.definition, NEW.files, NEW.shared, NEW.entrypoint)
  ON CONFLICT (ws, app, name, hash) DO UPDATE SET bundle_hash = excluded.bundle_hash, definition = excluded.definition,
    files = excluded.files, shared = excluded.shared, entrypoint = excluded.entrypoint;
END;

CREATE TRIGGER app_functions_kept_update AFTER UPDATE OF hash, bundle_hash ON app_functions
WHEN NEW.ws NOT IN (SELECT ws FROM held_workspaces)
BEGIN
  INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)
  VALUES (NEW.ws, NEW.app, NEW.name, NEW.hash, NEW.bundle_hash, NEW.definition, NEW.files, NEW.shared, NEW.entrypoint)
  ON CONFLICT (ws, app, name, hash) DO UPDATE SET bundle_hash = excluded.bundle_hash, definition = excluded.definition,
    files = excluded.files, shared = excluded.shared, entrypoint = excluded.entrypoint;
END;
