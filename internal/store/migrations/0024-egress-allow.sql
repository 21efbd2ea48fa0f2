-- Private destinations that jobs of the workspace may reach, beside those of the instance: JSON array of `host[:port]` and
-- `network[:port]`; NULL: none.
ALTER TABLE workspaces ADD COLUMN egress_allow TEXT;
