-- expansion
-- Sections of the console that the workspace's admins hide: a JSON array of names. NULL: none.
ALTER TABLE workspaces ADD COLUMN hidden_sections TEXT;
