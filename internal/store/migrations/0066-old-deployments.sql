-- expansion
-- Deployments that a sweep deletes in small writes. Nothing shows or uses them any more.
CREATE TABLE expired_deployments (
  ws TEXT NOT NULL,
  deployment_id TEXT NOT NULL,
  PRIMARY KEY (ws, deployment_id)
) STRICT, WITHOUT ROWID;

-- When a sweep first found that an app was deleted. Its deployments can be made current again for some time.
CREATE TABLE deleted_apps (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (ws, app)
) STRICT, WITHOUT ROWID;

-- Bundles that nothing may refer to: stored before the write that refers to them, or left by a deleted deployment. A sweep looks at
-- them after a day.
CREATE TABLE unused_bundles (
  hash TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unused_bundles_by_time ON unused_bundles (since);

CREATE INDEX deployment_actions_by_bundle ON deployment_actions (bundle_hash);
CREATE INDEX app_functions_by_bundle ON app_functions (bundle_hash);
CREATE INDEX app_function_versions_by_bundle ON app_function_versions (bundle_hash);
CREATE INDEX function_versions_by_bundle ON function_versions (bundle_hash);
-- finds whether an app has a version that nodes of the previous release read
CREATE INDEX app_function_versions_by_name ON app_function_versions (name, hash);

INSERT INTO unused_bundles (hash, since)
SELECT hash, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM bundles b
WHERE NOT EXISTS (SELECT 1 FROM deployment_actions a WHERE a.bundle_hash = b.hash)
  AND NOT EXISTS (SELECT 1 FROM app_functions f WHERE f.bundle_hash = b.hash)
  AND NOT EXISTS (SELECT 1 FROM app_function_versions v WHERE v.bundle_hash = b.hash)
  AND NOT EXISTS (SELECT 1 FROM function_versions v WHERE v.bundle_hash = b.hash);
