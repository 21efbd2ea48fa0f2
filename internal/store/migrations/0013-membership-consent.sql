-- Provenance of accounts and memberships, and an expiry for tokens of device logins.

-- The workspace whose invite made the account; NULL: an operator made it. Such an account becomes a member of another
-- workspace only by accepting an invite of that workspace.
ALTER TABLE users ADD COLUMN invite_ws TEXT;

-- The invite that the member accepted; NULL: an operator added the member.
ALTER TABLE members ADD COLUMN invite_id TEXT;

-- One batch made the account and accepted the invite, so the two times are at most seconds apart.
UPDATE users SET invite_ws = (
  SELECT i.ws FROM invites i
  WHERE i.email = users.email AND i.accepted_at BETWEEN users.created_at - 5000 AND users.created_at + 5000
  ORDER BY i.accepted_at LIMIT 1
);

UPDATE tokens SET expires_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 7776000000
WHERE label = 'svc login' AND scopes = '["*"]' AND admin = 1 AND expires_at IS NULL AND revoked_at IS NULL;
