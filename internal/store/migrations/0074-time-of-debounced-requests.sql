-- expansion
-- When the request came whose input a debounced job has. A start by event that waited for room in the queue replaces no newer input.
-- Null for a job that is not debounced, or that an older node has queued.
ALTER TABLE jobs ADD COLUMN debounced_at INTEGER;
