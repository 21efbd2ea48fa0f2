-- expansion
-- The removal of a person finds their rows by their address, also that of the rows which refer to the account. Without these
-- indexes it read the tokens, members and invites of all workspaces.
CREATE INDEX tokens_by_owner ON tokens (email, ws, id);
CREATE INDEX members_by_email ON members (email);
CREATE INDEX invites_by_email ON invites (email);
CREATE INDEX invites_by_creator ON invites (created_by);
-- The removal of an app finds its grants among those of all customers.
CREATE INDEX consumer_grants_by_app ON consumer_grants (app);
