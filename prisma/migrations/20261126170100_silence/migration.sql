-- After how many days of silence a party may end a task whose terms set no time. A task keeps what was set when it was created.
-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "silence_days" INTEGER NOT NULL DEFAULT 30;
