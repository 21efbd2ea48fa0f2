-- expansion
-- The request id that the caller of a function chose. The id of a call is ours, because callers repeat theirs.
ALTER TABLE function_calls ADD COLUMN request_id TEXT;
