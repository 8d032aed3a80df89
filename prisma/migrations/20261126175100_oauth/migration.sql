-- Programs that an owner connects by a consent page (OAuth), and what the authorization server keeps meanwhile.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  registered_by TEXT NOT NULL CHECK (registered_by IN ('itself', 'administrator')),
  metadata JSONB NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  last_used_at TIMESTAMPTZ(3)
);
CREATE INDEX oauth_clients_unused ON oauth_clients (created_at) WHERE registered_by = 'itself' AND last_used_at IS NULL;

CREATE TABLE oauth_connections (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES owners (id) ON UPDATE CASCADE ON DELETE CASCADE,
  identity_id TEXT NOT NULL REFERENCES identities (id) ON UPDATE CASCADE ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  client_host TEXT,
  resource TEXT NOT NULL CHECK (resource IN ('mcp', 'api')),
  scopes TEXT[] NOT NULL CHECK (cardinality(scopes) > 0),
  max_price_pence INTEGER CHECK (max_price_pence >= 0),
  created_at TIMESTAMPTZ(3) NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  last_used_at TIMESTAMPTZ(3)
);
CREATE INDEX oauth_connections_owner_id_id_idx ON oauth_connections (owner_id, id);
CREATE INDEX oauth_connections_identity_id_idx ON oauth_connections (identity_id);
CREATE INDEX oauth_connections_expires_at_idx ON oauth_connections (expires_at);

CREATE TABLE oauth_records (
  model TEXT NOT NULL,
  digest BYTEA NOT NULL,
  payload BYTEA NOT NULL,
  connection_id TEXT REFERENCES oauth_connections (id) ON UPDATE CASCADE ON DELETE CASCADE,
  consumed_at TIMESTAMPTZ(3),
  expires_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (model, digest)
);
CREATE INDEX oauth_records_connection_id_idx ON oauth_records (connection_id) WHERE connection_id IS NOT NULL;
CREATE INDEX oauth_records_expires_at_idx ON oauth_records (expires_at);

-- The table is new in this release, so it has few rows.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE access_tokens ADD COLUMN connection_id TEXT REFERENCES oauth_connections (id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE access_tokens ADD COLUMN resource TEXT CHECK (resource IN ('mcp', 'api'));
-- The table is new in this release, so it has few rows.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX access_tokens_by_connection ON access_tokens (connection_id) WHERE connection_id IS NOT NULL;
