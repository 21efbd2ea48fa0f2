-- A former deployment that is made current again is a deployment of its own, of the same content.
ALTER TABLE deployments ADD COLUMN redeployed_from TEXT;
-- The hash of each of its functions by name, as JSON. NULL: it left the app's functions as they were, or is older than this.
ALTER TABLE deployments ADD COLUMN functions TEXT;

-- Functions as deployments of whole apps brought them; like bundles they are kept, and shared by what is equal.
CREATE TABLE function_versions (
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),
  definition TEXT NOT NULL,
  files TEXT NOT NULL,
  entrypoint TEXT NOT NULL,
  PRIMARY KEY (name, hash)
) STRICT, WITHOUT ROWID;
