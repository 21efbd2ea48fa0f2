-- expansion
-- The list of API keys, newest first: their ids are random, so no index by id gives this order.
CREATE INDEX api_keys_by_time ON api_keys (ws, created_at, key_id);
