-- AlterTable
ALTER TABLE "profiles" ADD COLUMN "held_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "posts_by_room_and_author" ON "posts"("room", "author_id") WHERE (withdrawn_at IS NULL);

-- How many of the newest `most` posts of an author were made after `since`. Being volatile, it reads as of its call and not as
-- of the statement around it: under the lock of the author's row it counts exactly.
CREATE FUNCTION recent_posts(author text, since timestamptz, most integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (SELECT count(*) FROM (SELECT created_at FROM posts WHERE author_id = author ORDER BY seq DESC LIMIT most) newest
    WHERE created_at > since);
END $$;

-- Counters in these rows change in place.
ALTER TABLE posts SET (fillfactor = 90);
ALTER TABLE profiles SET (fillfactor = 80);
