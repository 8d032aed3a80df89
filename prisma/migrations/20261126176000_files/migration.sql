-- Files of tasks. Their bytes are in the store (FILES_DIR or FILES_S3_URL), by their SHA-256; the rows stay when the bytes are removed.

-- CreateEnum
CREATE TYPE "file_purpose" AS ENUM ('brief', 'result');

-- CreateEnum
CREATE TYPE "file_state" AS ENUM ('uploading', 'kept', 'removed');

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "expected_files" JSONB,
ADD COLUMN     "result_files" JSONB;

-- CreateTable
CREATE TABLE "files" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "task_id" TEXT NOT NULL,
    "uploader_id" TEXT NOT NULL,
    "purpose" "file_purpose" NOT NULL,
    "name" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "media_type" TEXT NOT NULL,
    "sha256" TEXT NOT NULL DEFAULT '',
    "state" "file_state" NOT NULL DEFAULT 'uploading',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "submitted_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "files_pkey" PRIMARY KEY ("id"),
    -- Only a complete file has a hash that others may rely on.
    CONSTRAINT "files_hashed" CHECK (size >= 0 AND (state = 'uploading' OR sha256 <> ''))
);

-- CreateTable
CREATE TABLE "file_contents" (
    "sha256" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "leaving" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "file_contents_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "file_totals" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "file_totals_pkey" PRIMARY KEY ("one"),
    CONSTRAINT "file_totals_one" CHECK (one)
);

-- CreateIndex
CREATE UNIQUE INDEX "files_seq_key" ON "files"("seq");

-- CreateIndex
CREATE INDEX "files_task_id_seq_idx" ON "files"("task_id", "seq");

-- CreateIndex
CREATE INDEX "files_uploader_id_id_idx" ON "files"("uploader_id", "id");

-- CreateIndex
CREATE INDEX "files_stored_by_uploader" ON "files"("uploader_id", "size") WHERE (state <> 'removed');

-- CreateIndex
CREATE INDEX "files_stored_by_hash" ON "files"("sha256") WHERE (state <> 'removed');

-- CreateIndex
CREATE INDEX "files_uploading" ON "files"("created_at") WHERE (state = 'uploading');

-- CreateIndex
CREATE INDEX "files_kept" ON "files"("created_at", "id") WHERE (state = 'kept');

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_uploader_id_fkey" FOREIGN KEY ("uploader_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What is stored or reserved in all. The row is locked until the commit, so that those who reserve space take turns.
CREATE FUNCTION files_count_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change bigint := 0;
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.state <> 'removed' THEN change := change + NEW.size; END IF;
  IF TG_OP <> 'INSERT' AND OLD.state <> 'removed' THEN change := change - OLD.size; END IF;
  IF change <> 0 THEN
    INSERT INTO file_totals (bytes) VALUES (change) ON CONFLICT (one) DO UPDATE SET bytes = file_totals.bytes + change;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER files_counted AFTER INSERT OR UPDATE OF state, size OR DELETE ON files
  FOR EACH ROW EXECUTE FUNCTION files_count_bytes();

-- What a file is never changes, and a removed one does not come back.
CREATE FUNCTION files_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.state <> 'uploading' THEN RAISE EXCEPTION 'the row of a file is never deleted'; END IF;
    RETURN OLD;
  END IF;
  IF (OLD.id, OLD.task_id, OLD.uploader_id, OLD.purpose, OLD.name, OLD.size, OLD.media_type)
      IS DISTINCT FROM (NEW.id, NEW.task_id, NEW.uploader_id, NEW.purpose, NEW.name, NEW.size, NEW.media_type)
    OR (OLD.sha256 <> '' AND OLD.sha256 <> NEW.sha256)
    OR NEW.state < OLD.state
  THEN RAISE EXCEPTION 'a file is never changed'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER files_frozen BEFORE UPDATE OR DELETE ON files FOR EACH ROW EXECUTE FUNCTION files_frozen();
