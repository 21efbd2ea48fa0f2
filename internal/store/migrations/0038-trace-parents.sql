-- The span under which a flow run began: its own span is the one that `traceparent` names.
ALTER TABLE traces ADD COLUMN parent TEXT;
