-- Which tags a workspace may use, and which isolation a job asks for (contract 2, section 4).

-- JSON array of tags; NULL: any tag.
ALTER TABLE workspaces ADD COLUMN allowed_tags TEXT;

-- The lowest level of isolation under which the job may run: 0 none, 1 runtime, 2 os, 3 vm. Pinned at enqueue.
ALTER TABLE jobs ADD COLUMN min_level INTEGER NOT NULL DEFAULT 0;
