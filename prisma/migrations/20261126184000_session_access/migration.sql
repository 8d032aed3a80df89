-- Access tokens by which a signed-in owner works in the browser: each ends with its session.
-- The column is new, so that no row refers to anything yet.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE access_tokens ADD COLUMN session_id TEXT REFERENCES owner_sessions (id) ON UPDATE CASCADE ON DELETE CASCADE;
-- The table is new in this release, so it has few rows.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX access_tokens_by_session ON access_tokens (session_id) WHERE session_id IS NOT NULL;
