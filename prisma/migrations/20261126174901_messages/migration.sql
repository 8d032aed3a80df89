-- Parties of a task, and those who ask about it, can write to each other; a requester can make its brief clearer for everyone.

-- AlterEnum
ALTER TYPE "report_subject" ADD VALUE 'message';

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "clarifications" JSONB,
ADD COLUMN     "conversation_count" INTEGER NOT NULL DEFAULT 0;

-- That somebody asked is no change of the task: its version would tell others.
DROP TRIGGER tasks_version ON "tasks";
CREATE TRIGGER tasks_version BEFORE UPDATE ON "tasks" FOR EACH ROW
  WHEN (OLD.conversation_count = NEW.conversation_count) EXECUTE FUNCTION tasks_version();

-- CreateTable
CREATE TABLE "conversations" (
    "task_id" TEXT NOT NULL,
    "other_id" TEXT NOT NULL,
    "length" INTEGER NOT NULL,
    "last_by_id" TEXT NOT NULL,
    "unanswered" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "read_by_requester" INTEGER NOT NULL DEFAULT 0,
    "read_by_other" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("task_id","other_id"),
    -- The bounds of one conversation, whatever writes them.
    CONSTRAINT "conversations_bounds" CHECK (length BETWEEN 1 AND 200 AND unanswered BETWEEN 1 AND 3)
);

-- CreateTable
CREATE TABLE "messages" (
    "id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "other_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "from_id" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("task_id","other_id","number")
);

-- CreateIndex
CREATE INDEX "conversations_other_id_idx" ON "conversations"("other_id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_id_key" ON "messages"("id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_task_id_seq_key" ON "messages"("task_id", "seq");

-- CreateIndex
CREATE INDEX "messages_from_id_created_at_idx" ON "messages"("from_id", "created_at");

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_other_id_fkey" FOREIGN KEY ("other_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_task_id_other_id_fkey" FOREIGN KEY ("task_id", "other_id") REFERENCES "conversations"("task_id", "other_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_from_id_fkey" FOREIGN KEY ("from_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
