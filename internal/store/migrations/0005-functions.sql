-- HTTP functions (document 3). Each is current by itself: deploying one leaves the others as they are.
CREATE TABLE app_functions (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  name TEXT NOT NULL,
  -- over the files, by which a change is told
  hash TEXT NOT NULL,
  bundle_hash TEXT NOT NULL REFERENCES bundles (hash),
  -- methods, description, tags, timeout
  definition TEXT NOT NULL,
  -- {path: base64}, for whoever pulls the app
  files TEXT NOT NULL,
  entrypoint TEXT NOT NULL,
  deployed_by TEXT NOT NULL,
  deployed_at INTEGER NOT NULL,
  PRIMARY KEY (ws, app, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX app_functions_by_app ON app_functions (app, ws);

-- Host names under which an app's functions are served, beside <app>.<SVC_APPS_DOMAIN>.
CREATE TABLE app_hosts (
  host TEXT PRIMARY KEY,
  ws TEXT NOT NULL,
  app TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX app_hosts_by_app ON app_hosts (ws, app);

CREATE TABLE function_calls (
  ws TEXT NOT NULL,
  app TEXT NOT NULL,
  name TEXT NOT NULL,
  id TEXT NOT NULL,
  method TEXT NOT NULL,
  status INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- why it failed, and what it wrote; never what it was sent
  error TEXT,
  log TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (ws, app, name, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX function_calls_by_time ON function_calls (at);
