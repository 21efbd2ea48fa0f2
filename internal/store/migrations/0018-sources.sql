-- Files of apps as they were deployed, by the SHA-256 of their content (hex): equal files are kept once.
CREATE TABLE source_files (
  hash TEXT PRIMARY KEY,
  content BLOB NOT NULL
) STRICT;

-- Which files a deployment was made of. A deployment that is older than this table has none.
CREATE TABLE deployment_files (
  deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES source_files (hash),
  bytes INTEGER NOT NULL,
  PRIMARY KEY (deployment_id, path)
) STRICT, WITHOUT ROWID;

-- Files outside its folder that a function is made of (lib/, node_modules): {path: hash of source_files}.
ALTER TABLE app_functions ADD COLUMN shared TEXT NOT NULL DEFAULT '{}';
ALTER TABLE function_versions ADD COLUMN shared TEXT NOT NULL DEFAULT '{}';

-- Files that a draft takes along from the deployment that it was made of, and that are not edited as text: {path: hash}.
ALTER TABLE drafts ADD COLUMN carried TEXT NOT NULL DEFAULT '{}';
