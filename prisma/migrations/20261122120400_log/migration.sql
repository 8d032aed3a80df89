-- The transparency log: statements about events, chained by task or identity, and the Merkle tree over their hashes.
-- CreateTable
CREATE TABLE "log_trees" (
    "id" INTEGER NOT NULL,
    "origin" TEXT NOT NULL,
    "vkey" TEXT,
    "size" BIGINT NOT NULL DEFAULT 0,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refusal" TEXT,

    CONSTRAINT "log_trees_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "log_checkpoints" (
    "tree" INTEGER NOT NULL,
    "size" BIGINT NOT NULL,
    "note" TEXT NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_checkpoints_pkey" PRIMARY KEY ("tree")
);

-- CreateTable
CREATE TABLE "log_tiles" (
    "tree" INTEGER NOT NULL,
    "level" SMALLINT NOT NULL,
    "index" BIGINT NOT NULL,
    "hashes" BYTEA NOT NULL,

    CONSTRAINT "log_tiles_pkey" PRIMARY KEY ("tree","level","index")
);

-- CreateTable
CREATE TABLE "log_chains" (
    "chain" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "hash" BYTEA,

    CONSTRAINT "log_chains_pkey" PRIMARY KEY ("chain")
);

-- CreateTable
CREATE TABLE "log_statements" (
    "event_seq" BIGINT NOT NULL,
    "chain" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "statement" TEXT,
    "text_salt" TEXT,

    CONSTRAINT "log_statements_pkey" PRIMARY KEY ("event_seq")
);

-- CreateTable
CREATE TABLE "log_leaves" (
    "tree" INTEGER NOT NULL,
    "leaf" BIGINT NOT NULL,
    "event_seq" BIGINT NOT NULL,

    CONSTRAINT "log_leaves_pkey" PRIMARY KEY ("tree","leaf")
);

-- CreateIndex
CREATE UNIQUE INDEX "log_trees_origin_key" ON "log_trees"("origin");

-- CreateIndex
CREATE UNIQUE INDEX "log_statements_chain_n_key" ON "log_statements"("chain", "n");

-- CreateIndex
CREATE UNIQUE INDEX "log_leaves_tree_event_seq_key" ON "log_leaves"("tree", "event_seq");

-- A leaf stays where it is for ever.
CREATE TRIGGER log_leaves_append_only BEFORE UPDATE OR DELETE ON log_leaves FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_leaves_no_truncate BEFORE TRUNCATE ON log_leaves EXECUTE FUNCTION refuse_change();

-- Of a statement only its text may go, and then its salt with it.
CREATE FUNCTION refuse_statement_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.statement IS NULL AND NEW.text_salt IS NULL
    AND (NEW.event_seq, NEW.chain, NEW.n, NEW.hash) = (OLD.event_seq, OLD.chain, OLD.n, OLD.hash) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a statement is never changed, only erased: set statement and text_salt to null';
END $$;
CREATE TRIGGER log_statements_only_erased BEFORE UPDATE OR DELETE ON log_statements
  FOR EACH ROW EXECUTE FUNCTION refuse_statement_change();

-- A tile only grows, so every reader has seen the beginning of what later readers see.
CREATE FUNCTION refuse_tile_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.tree, NEW.level, NEW.index) = (OLD.tree, OLD.level, OLD.index)
    AND substring(NEW.hashes FOR length(OLD.hashes)) = OLD.hashes THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a tile only grows';
END $$;
CREATE TRIGGER log_tiles_only_grow BEFORE UPDATE OR DELETE ON log_tiles FOR EACH ROW EXECUTE FUNCTION refuse_tile_change();

-- Writes an event's statement as the next of its chain, in the event's transaction. The text is canonical JSON (RFC 8785): the members
-- stand in their order, and `actor_json` and `facts_json` are canonical already. Without a log, the first statement begins it.
-- Returns the statement's number in its chain; null if there is none.
CREATE FUNCTION write_statement(seq bigint, event_type text, event_at timestamptz, chain_id text, actor_json text, facts_json text,
  salt text, salt_of_text text, first_origin text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  log_origin text;
  link log_chains;
  canonical text;
  digest bytea;
BEGIN
  SELECT t.origin INTO log_origin FROM log_trees t ORDER BY t.id DESC LIMIT 1;
  IF log_origin IS NULL THEN
    INSERT INTO log_trees (id, origin) VALUES (1, first_origin) ON CONFLICT DO NOTHING;
    SELECT t.origin INTO log_origin FROM log_trees t ORDER BY t.id DESC LIMIT 1;
  END IF;
  SELECT * INTO link FROM log_chains c WHERE c.chain = chain_id FOR UPDATE;
  IF NOT FOUND THEN
    -- A task from before the log has no chain, and gets none.
    IF chain_id LIKE 'tsk\_%' AND event_type <> 'task.created' THEN RETURN NULL; END IF;
    INSERT INTO log_chains (chain, n) VALUES (chain_id, 0) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT link FROM log_chains c WHERE c.chain = chain_id FOR UPDATE;
  END IF;
  canonical := '{"actor":' || actor_json
    || ',"at":"' || to_char(event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","chain":"' || chain_id || '","event":"' || event_type || '","facts":' || facts_json
    || ',"log":' || to_json(log_origin)::text || ',"n":' || link.n + 1
    || ',"prev":' || coalesce('"sha256:' || encode(link.hash, 'hex') || '"', 'null')
    || ',"salt":"' || salt || '","type":"guildhall.statement/1"}';
  digest := sha256(convert_to(canonical, 'UTF8'));
  UPDATE log_chains c SET n = link.n + 1, hash = digest WHERE c.chain = chain_id;
  INSERT INTO log_statements (event_seq, chain, n, hash, statement, text_salt)
  VALUES (seq, chain_id, link.n + 1, digest, canonical, salt_of_text);
  RETURN link.n + 1;
END $$;
