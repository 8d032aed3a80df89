-- Formerly: ef9c31bffa436bd2ccfd4e9653345446e92d3d5c7d7c58873a4d621995797f32
-- In steps, so that nobody waits long for a table while processes of the first release serve: docs/decisions/migrations-in-steps.md.
-- Second factors, and sessions that their owner can name, recognise and end.

-- Step: columns
-- AlterTable
ALTER TABLE "owners" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "owner_sessions" ADD COLUMN     "address" TEXT,
ADD COLUMN     "awaits_factor" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "id" TEXT,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);

-- A process of the first release knows neither column.
CREATE FUNCTION owner_sessions_named() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.id := 'ses_' || translate(left(md5(NEW.id_digest), 22), '0', 'z');
  NEW.last_used_at := now();
  RETURN NEW;
END $$;
CREATE TRIGGER owner_sessions_named BEFORE INSERT ON owner_sessions
  FOR EACH ROW WHEN (NEW.id IS NULL) EXECUTE FUNCTION owner_sessions_named();

-- Step, in batches: sessions that are open now stay open
-- Their names are made from their digests, in the alphabet of our identifiers.
WITH batch AS (
  SELECT id_digest FROM owner_sessions WHERE id_digest > nullif(current_setting('migration.reached', true), '')::bytea
    OR nullif(current_setting('migration.reached', true), '') IS NULL
  ORDER BY id_digest LIMIT nullif(current_setting('migration.batch', true), '')::integer
), named AS (
  UPDATE owner_sessions s SET id = 'ses_' || translate(left(md5(s.id_digest), 22), '0', 'z'), last_used_at = now()
  FROM batch WHERE s.id_digest = batch.id_digest AND s.id IS NULL
)
SELECT (SELECT id_digest FROM batch ORDER BY 1 DESC LIMIT 1)::text AS reached;

-- Step: columns that are never empty
ALTER TABLE "owner_sessions" ALTER COLUMN "id" SET NOT NULL,
ALTER COLUMN "last_used_at" SET NOT NULL;

-- Step: index
-- CreateIndex
CREATE UNIQUE INDEX "owner_sessions_id_key" ON "owner_sessions"("id");

-- Step: second factors
-- CreateTable
CREATE TABLE "owner_passkeys" (
    "id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "backed_up" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "owner_passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "owner_totps" (
    "owner_id" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" BIGINT,

    CONSTRAINT "owner_totps_pkey" PRIMARY KEY ("owner_id")
);

-- CreateTable
CREATE TABLE "owner_recovery_codes" (
    "owner_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "owner_recovery_codes_pkey" PRIMARY KEY ("owner_id","digest")
);

-- CreateTable
CREATE TABLE "owner_challenges" (
    "digest" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "session_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "owner_challenges_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "owner_passkeys_owner_id_idx" ON "owner_passkeys"("owner_id");

-- CreateIndex
CREATE INDEX "owner_challenges_expires_at_idx" ON "owner_challenges"("expires_at");

-- AddForeignKey
ALTER TABLE "owner_passkeys" ADD CONSTRAINT "owner_passkeys_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner_totps" ADD CONSTRAINT "owner_totps_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner_recovery_codes" ADD CONSTRAINT "owner_recovery_codes_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE CASCADE ON UPDATE CASCADE;
