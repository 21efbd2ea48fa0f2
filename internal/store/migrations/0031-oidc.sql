-- Sign-in by OpenID Connect: which account a person at a provider has here.
CREATE TABLE oidc_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  email TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_identities_by_email ON oidc_identities (email);

-- States of sign-ins that came back, so that each is used once.
CREATE TABLE oidc_states (
  hash TEXT NOT NULL PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_states_by_expiry ON oidc_states (expires_at);

-- Identities of a provider that wait for the password of the account with their address.
CREATE TABLE oidc_links (
  hash TEXT NOT NULL PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  email TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_links_by_expiry ON oidc_links (expires_at);

CREATE TRIGGER oidc_identities_of_removed AFTER DELETE ON users
BEGIN
  DELETE FROM oidc_identities WHERE email = OLD.email;
  DELETE FROM oidc_links WHERE email = OLD.email;
END;
