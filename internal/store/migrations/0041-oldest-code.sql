-- expansion
-- The schema of the oldest code that a migration left able to go on (internal/store/migrate.ts).
ALTER TABLE schema_migrations ADD COLUMN oldest_code INTEGER;
