-- expansion
-- The directory of an instance with several databases: which of them has a workspace that is not in the first one. Only the rows
-- of the first database count.
CREATE TABLE workspace_cells (
  ws TEXT PRIMARY KEY,
  cell TEXT NOT NULL,
  -- where it is being moved to; equal to cell: it has arrived and is about to be served; NULL: it stays
  moving_to TEXT,
  -- names the move, and the hold of the workspace on both sides
  move_id TEXT,
  -- the cell that still has rows of it from before its last move
  left_in TEXT,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
