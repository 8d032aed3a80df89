-- A row of the audit trail for each answer and mention cost a post more than all else that the feed of events adds to it. The notice, which is
-- written anyway, now keeps what the row needs; the sequencer writes it when it gives the event its position. Earlier notices have
-- their rows, and so do those of processes of an earlier release.
-- AlterTable
ALTER TABLE "activities" ADD COLUMN     "actor_id" TEXT,
ADD COLUMN     "actor_kind" TEXT,
ADD COLUMN     "event_id" TEXT,
ADD COLUMN     "event_seq" BIGINT,
ADD COLUMN     "request_id" TEXT;

-- AlterTable
ALTER TABLE "event_feed" ADD COLUMN     "last_notice" BIGINT NOT NULL DEFAULT 0;
-- Few rows: the table holds the state of the feed, which is one row.
UPDATE "event_feed" SET "last_notice" = (SELECT coalesce(max(seq), 0) FROM "activities");
