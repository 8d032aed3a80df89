-- Statements are entered in the log apart from giving positions, so that one goes on when the other fails. So far every event that
-- has a position is in the newest log.
-- AlterTable
ALTER TABLE "log_trees" ADD COLUMN     "position" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "stalled_at" TIMESTAMPTZ(3);
UPDATE log_trees SET position = (SELECT last_position FROM event_feed);

-- Hashes cannot be compressed, and a tile is written again with each batch.
ALTER TABLE "log_tiles" ALTER COLUMN "hashes" SET STORAGE EXTERNAL;

-- The same as before with a third of the work: the last statement itself says how a chain goes on. Two transactions that continue one
-- chain meet in its unique index: the second waits for the first, then reads again.
CREATE OR REPLACE FUNCTION write_statement(seq bigint, event_type text, event_at timestamptz, chain_id text, actor_json text,
  facts_json text, salt text, salt_of_text text, first_origin text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  log_origin text;
  last_n integer := 0;
  last_hash bytea;
  canonical text;
  -- A new task has no statement yet.
  is_new boolean := event_type = 'task.created';
BEGIN
  SELECT t.origin INTO log_origin FROM log_trees t ORDER BY t.id DESC LIMIT 1;
  IF log_origin IS NULL THEN
    INSERT INTO log_trees (id, origin) VALUES (1, first_origin) ON CONFLICT DO NOTHING;
    SELECT t.origin INTO log_origin FROM log_trees t ORDER BY t.id DESC LIMIT 1;
  END IF;
  LOOP
    IF NOT is_new THEN
      SELECT s.n, s.hash INTO last_n, last_hash FROM log_statements s WHERE s.chain = chain_id ORDER BY s.n DESC LIMIT 1;
      IF NOT FOUND THEN
        -- A task from before the log has no chain, and gets none.
        IF chain_id LIKE 'tsk\_%' AND event_type <> 'task.created' THEN RETURN NULL; END IF;
        last_n := 0;
      END IF;
    END IF;
    canonical := '{"actor":' || actor_json
      || ',"at":"' || to_char(event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","chain":"' || chain_id || '","event":"' || event_type || '","facts":' || facts_json
      || ',"log":' || to_json(log_origin)::text || ',"n":' || last_n + 1
      || ',"prev":' || coalesce('"sha256:' || encode(last_hash, 'hex') || '"', 'null')
      || ',"salt":"' || salt || '","type":"guildhall.statement/1"}';
    INSERT INTO log_statements (event_seq, chain, n, hash, statement, text_salt)
    VALUES (seq, chain_id, last_n + 1, sha256(convert_to(canonical, 'UTF8')), canonical, salt_of_text)
    ON CONFLICT (chain, n) DO NOTHING;
    EXIT WHEN FOUND;
    is_new := false;
  END LOOP;
  RETURN last_n + 1;
END $$;

-- DropTable
DROP TABLE "log_chains";
