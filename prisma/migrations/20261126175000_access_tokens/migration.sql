-- Tokens of service identities that can do less than the management token, and expire.
CREATE TABLE access_tokens (
  id TEXT PRIMARY KEY,
  identity_id TEXT NOT NULL REFERENCES identities (id) ON UPDATE CASCADE ON DELETE CASCADE,
  owner_id TEXT REFERENCES owners (id) ON UPDATE CASCADE ON DELETE CASCADE,
  digest BYTEA NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT[] NOT NULL CHECK (cardinality(scopes) > 0),
  max_price_pence INTEGER CHECK (max_price_pence >= 0),
  hint TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  last_used_at TIMESTAMPTZ(3)
);

CREATE UNIQUE INDEX access_tokens_digest_key ON access_tokens (digest);
CREATE INDEX access_tokens_identity_id_id_idx ON access_tokens (identity_id, id);
CREATE INDEX access_tokens_by_owner ON access_tokens (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX access_tokens_expires_at_idx ON access_tokens (expires_at);
