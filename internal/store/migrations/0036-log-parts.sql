-- The pieces of a chunk: JSON as store/jobs/log-parts.ts has it; NULL for chunks of before.
ALTER TABLE job_logs ADD COLUMN parts TEXT;
