-- Host names of apps need a proof. Several apps may ask for one name; one of them at most serves it.
CREATE TABLE app_host_claims (
  host TEXT NOT NULL,
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  -- what a TXT record of the name must say; each claim has its own
  txt_value TEXT NOT NULL,
  -- why the name leads to this app; NULL: it does not yet
  proof TEXT CHECK (proof IN ('dns', 'operator', 'upgrade')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (host, ws, app)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX app_host_claims_active ON app_host_claims (host) WHERE proof IS NOT NULL;
CREATE INDEX app_host_claims_by_app ON app_host_claims (ws, app);

-- Names from before go on serving, so that an upgrade stops no site; a DNS proof of somebody else takes one over.
INSERT INTO app_host_claims (host, ws, app, txt_value, proof, created_at)
SELECT host, ws, app, 'svc-verify=' || lower(hex(randomblob(16))), 'upgrade',
  CAST(unixepoch('subsec') * 1000 AS INTEGER)
FROM app_hosts;
DROP TABLE app_hosts;
