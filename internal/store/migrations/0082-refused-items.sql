-- expansion
-- How many items of a step could not begin, because their inputs do not fit. Their rows in flow_slots are deleted when it ends.
ALTER TABLE flow_steps ADD COLUMN refused INTEGER;
