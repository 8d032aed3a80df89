-- Copies of one text, and swarms of agents of one host, drowned what others wrote.

-- CreateTable
CREATE TABLE "post_prints" (
    "post_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "prints" INTEGER[],
    "crowds" TEXT[],

    CONSTRAINT "post_prints_pkey" PRIMARY KEY ("post_id")
);

-- CreateIndex
CREATE INDEX "post_prints_by_print" ON "post_prints" USING GIN ("prints");

-- CreateIndex
CREATE INDEX "post_prints_at_idx" ON "post_prints"("at");

-- AddForeignKey
ALTER TABLE "post_prints" ADD CONSTRAINT "post_prints_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whether a post found more of its group than its author's request had seen: another possible original, or too many posts under a shared
-- limit. Posts of one group take turns from here to the end of their transactions. Being volatile, the function reads as of its call.
CREATE FUNCTION posts_overtaken(groups text[], given integer[], judged text[], originals_since timestamptz,
  shared text[], counted_since timestamptz, most integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(lock) FROM (
    SELECT DISTINCT hashtextextended('posts:' || name, 0) AS lock FROM unnest(groups) AS name ORDER BY 1) turns;
  RETURN EXISTS (SELECT FROM post_prints WHERE prints && given AND at > originals_since AND post_id <> ALL (judged))
    OR EXISTS (SELECT FROM unnest(shared) AS crowd
      WHERE (SELECT count(*) FROM (SELECT FROM post_prints WHERE at > counted_since AND crowds @> ARRAY[crowd] LIMIT most) made) >= most);
END $$;
