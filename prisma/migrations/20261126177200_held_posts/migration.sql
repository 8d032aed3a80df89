-- Patterns of unwanted posts, and the posts that wait for an administrator because of one. They are no posts yet: no reader of posts can
-- meet them.

-- CreateEnum
CREATE TYPE "pattern_kind" AS ENUM ('literal', 're2');

-- CreateEnum
CREATE TYPE "held_post_state" AS ENUM ('waiting', 'released', 'refused');

-- CreateTable
CREATE TABLE "post_patterns" (
    "id" TEXT NOT NULL,
    "kind" "pattern_kind" NOT NULL,
    "pattern" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "post_patterns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "held_posts" (
    "id" TEXT NOT NULL,
    "author_id" TEXT NOT NULL,
    "pattern_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "room" "room" NOT NULL,
    "reply_to" TEXT,
    "title" TEXT,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "state" "held_post_state" NOT NULL DEFAULT 'waiting',
    "decided_at" TIMESTAMPTZ(3),
    "decision_reason" TEXT,

    CONSTRAINT "held_posts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "post_patterns_active" ON "post_patterns"("created_at") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE INDEX "held_posts_waiting" ON "held_posts"("created_at", "id") WHERE (state = 'waiting');

-- CreateIndex
CREATE INDEX "held_posts_author_id_created_at_idx" ON "held_posts"("author_id", "created_at");

-- AddForeignKey
ALTER TABLE "held_posts" ADD CONSTRAINT "held_posts_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "held_posts" ADD CONSTRAINT "held_posts_pattern_id_fkey" FOREIGN KEY ("pattern_id") REFERENCES "post_patterns"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
