-- expansion
-- Source files that deployments store before the write that refers to them. Nothing refers to those of a killed deployment. A sweep
-- deletes them when a day has passed since the last deployment that uses them.
CREATE TABLE unused_sources (
  hash TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unused_sources_by_time ON unused_sources (since);

CREATE INDEX deployment_files_by_hash ON deployment_files (hash);

INSERT INTO unused_sources (hash, since)
SELECT hash, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM source_files s
WHERE NOT EXISTS (SELECT 1 FROM deployment_files f WHERE f.hash = s.hash);
