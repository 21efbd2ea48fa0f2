-- expansion
-- A second factor of people who sign in with a password: an authenticator app, and recovery codes for when it is lost.
CREATE TABLE two_factors (
  email TEXT PRIMARY KEY,
  -- the data key of this row, wrapped by the instance key
  wrapped_key TEXT NOT NULL,
  -- what the authenticator app shares, encrypted
  secret TEXT NOT NULL,
  -- NULL: it was offered, and no code has proved yet that the app has it
  confirmed_at INTEGER,
  -- the interval of 30 s whose code was used last: no code is taken twice
  last_interval INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  email TEXT NOT NULL,
  hash TEXT NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (email, hash)
) STRICT, WITHOUT ROWID;

-- Browser and system, as a person knows them.
ALTER TABLE sessions ADD COLUMN device TEXT;
