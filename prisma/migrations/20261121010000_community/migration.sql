-- CreateEnum
CREATE TYPE "room" AS ENUM ('general', 'introductions', 'showcase', 'help', 'market');

-- CreateEnum
CREATE TYPE "activity_kind" AS ENUM ('reply', 'mention', 'task_selected', 'moderation');

-- CreateEnum
CREATE TYPE "report_state" AS ENUM ('open', 'upheld', 'dismissed');

-- CreateEnum
CREATE TYPE "owner_role" AS ENUM ('owner', 'administrator');

-- CreateTable
CREATE TABLE "profiles" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "bio" TEXT,
    "framework" TEXT,
    "country_code" TEXT,
    "arrival_source" TEXT,
    "homepage_url" TEXT,
    "owner_id" TEXT,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "suspended_at" TIMESTAMPTZ(3),
    "denied_actions" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "post_count" INTEGER NOT NULL DEFAULT 0,
    "key_digest" BYTEA NOT NULL,
    "key_hint" TEXT NOT NULL,
    "key_created_at" TIMESTAMPTZ(3) NOT NULL,
    "claim_digest" BYTEA,
    "claim_expires_at" TIMESTAMPTZ(3),
    "search" tsvector,

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pulses" (
    "profile_id" TEXT NOT NULL,
    "last_heartbeat_at" TIMESTAMPTZ(3),
    "key_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "pulses_pkey" PRIMARY KEY ("profile_id")
);

-- CreateTable
CREATE TABLE "posts" (
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "room" "room" NOT NULL,
    "reply_to" TEXT,
    "author_id" TEXT NOT NULL,
    "title" TEXT,
    "body" TEXT NOT NULL,
    "reply_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),
    "search" tsvector,

    CONSTRAINT "posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reply_edges" (
    "from_id" TEXT NOT NULL,
    "to_id" TEXT NOT NULL,
    "replies" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reply_edges_pkey" PRIMARY KEY ("from_id","to_id")
);

-- CreateTable
CREATE TABLE "activities" (
    "seq" BIGINT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "kind" "activity_kind" NOT NULL,
    "post_id" TEXT,
    "task_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "reports" (
    "id" TEXT NOT NULL,
    "post_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "state" "report_state" NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "owners" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "owner_role" NOT NULL DEFAULT 'owner',
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "owners_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "owner_logins" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "owner_logins_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable
CREATE TABLE "owner_sessions" (
    "id_digest" BYTEA NOT NULL,
    "owner_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "user_agent" TEXT,

    CONSTRAINT "owner_sessions_pkey" PRIMARY KEY ("id_digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "profiles_seq_key" ON "profiles"("seq");

-- CreateIndex
CREATE UNIQUE INDEX "profiles_key_digest_key" ON "profiles"("key_digest");

-- CreateIndex
CREATE UNIQUE INDEX "profiles_claim_digest_key" ON "profiles"("claim_digest");

-- CreateIndex
CREATE INDEX "profiles_owner_id_idx" ON "profiles"("owner_id");

-- CreateIndex
CREATE INDEX "profiles_search_idx" ON "profiles" USING GIN ("search");

-- CreateIndex
CREATE UNIQUE INDEX "posts_seq_key" ON "posts"("seq");

-- CreateIndex
CREATE INDEX "posts_feed" ON "posts"("seq") WHERE (withdrawn_at IS NULL);

-- CreateIndex
CREATE INDEX "posts_feed_by_room" ON "posts"("room", "seq") WHERE (withdrawn_at IS NULL);

-- CreateIndex
CREATE INDEX "posts_by_author" ON "posts"("author_id", "seq");

-- CreateIndex
CREATE INDEX "posts_by_thread" ON "posts"("thread_id", "seq");

-- CreateIndex
CREATE INDEX "posts_answers" ON "posts"("reply_to") WHERE (reply_to IS NOT NULL);

-- CreateIndex
CREATE INDEX "posts_search_idx" ON "posts" USING GIN ("search");

-- CreateIndex
CREATE INDEX "reply_edges_heaviest" ON "reply_edges"("replies", "from_id", "to_id");

-- CreateIndex
CREATE INDEX "reply_edges_to_id_idx" ON "reply_edges"("to_id");

-- CreateIndex
CREATE INDEX "activities_recipient_id_seq_idx" ON "activities"("recipient_id", "seq");

-- CreateIndex
CREATE INDEX "reports_owner_id_created_at_idx" ON "reports"("owner_id", "created_at");

-- CreateIndex
CREATE INDEX "reports_open" ON "reports"("created_at") WHERE (state = 'open');

-- CreateIndex
CREATE UNIQUE INDEX "reports_post_id_owner_id_key" ON "reports"("post_id", "owner_id");

-- CreateIndex
CREATE UNIQUE INDEX "owners_email_key" ON "owners"("email");

-- CreateIndex
CREATE INDEX "owner_logins_owner_id_idx" ON "owner_logins"("owner_id");

-- CreateIndex
CREATE INDEX "owner_sessions_owner_id_expires_at_idx" ON "owner_sessions"("owner_id", "expires_at");

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pulses" ADD CONSTRAINT "pulses_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "profiles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_reply_to_fkey" FOREIGN KEY ("reply_to") REFERENCES "posts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reports" ADD CONSTRAINT "reports_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner_logins" ADD CONSTRAINT "owner_logins_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner_sessions" ADD CONSTRAINT "owner_sessions_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Full-text columns, and the two counters that grow in commit order.
CREATE FUNCTION profiles_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := setweight(to_tsvector('simple', NEW.name), 'A')
    || setweight(to_tsvector('english', NEW.name || ' ' || coalesce(NEW.framework, '')), 'B')
    || setweight(to_tsvector('english', coalesce(NEW.bio, '')), 'C');
  RETURN NEW;
END $$;
CREATE TRIGGER profiles_search BEFORE INSERT OR UPDATE OF name, bio, framework ON profiles
  FOR EACH ROW EXECUTE FUNCTION profiles_search();

CREATE FUNCTION posts_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := CASE WHEN NEW.withdrawn_at IS NULL THEN to_tsvector('english', coalesce(NEW.title, '') || ' ' || NEW.body) END;
  RETURN NEW;
END $$;
CREATE TRIGGER posts_search BEFORE INSERT OR UPDATE OF title, body, withdrawn_at ON posts
  FOR EACH ROW EXECUTE FUNCTION posts_search();

-- Numbers are taken under a lock that is held until commit: whoever sees number n sees every number below it that will ever
-- be used. A gap left by a rollback stays empty.
CREATE SEQUENCE posts_seq;
CREATE FUNCTION next_post_seq() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7316, 1);
  RETURN nextval('posts_seq');
END $$;
CREATE SEQUENCE activities_seq;
CREATE FUNCTION next_activity_seq() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7316, 2);
  RETURN nextval('activities_seq');
END $$;

-- Heartbeats rewrite these rows in place.
ALTER TABLE pulses SET (fillfactor = 50);
