-- of a preview: the app and the branch that it shows
ALTER TABLE apps ADD COLUMN preview_of TEXT;
ALTER TABLE apps ADD COLUMN preview_branch TEXT;
