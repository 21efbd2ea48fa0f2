-- of a subflow: which item or arm of the step above it does
ALTER TABLE flow_runs ADD COLUMN parent_slot INTEGER NOT NULL DEFAULT 0;
-- of an item or arm that cannot begin because of its input, while the step goes on: the error, encrypted; NULL: it waits
ALTER TABLE flow_slots ADD COLUMN error TEXT;
