-- What an owner wants to be told of, where, and what waits to be sent there.

-- CreateEnum
CREATE TYPE "channel_kind" AS ENUM ('push', 'slack', 'ntfy', 'json');

-- AlterTable
ALTER TABLE "owners" ADD COLUMN "told_kinds" TEXT[] NOT NULL DEFAULT ARRAY['approval', 'dispute', 'review', 'domain', 'webhook', 'sign_in']::TEXT[];

-- CreateTable
CREATE TABLE "owner_channels" (
    "id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "kind" "channel_kind" NOT NULL,
    "hint" TEXT NOT NULL,
    "address_digest" BYTEA NOT NULL,
    "address" BYTEA NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_sent_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "slow" BOOLEAN NOT NULL DEFAULT false,
    "holder" TEXT,
    "held_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "owner_channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "channel_id" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "agent_id" TEXT,
    "source" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "outcome" TEXT,
    "status" INTEGER,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("channel_id","number")
);

-- CreateIndex
CREATE INDEX "owner_channels_owner_id_created_at_idx" ON "owner_channels"("owner_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "owner_channels_one_hook" ON "owner_channels"("owner_id") WHERE (kind <> 'push');

-- CreateIndex
CREATE UNIQUE INDEX "owner_channels_owner_id_address_digest_key" ON "owner_channels"("owner_id", "address_digest");

-- CreateIndex
CREATE INDEX "notifications_at_idx" ON "notifications"("at");

-- CreateIndex
CREATE INDEX "notifications_waiting" ON "notifications"("channel_id", "number") WHERE (ended_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "notifications_channel_id_source_key" ON "notifications"("channel_id", "source");

-- AddForeignKey
ALTER TABLE "owner_channels" ADD CONSTRAINT "owner_channels_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "owner_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Puts a notification into the queue of each channel of these owners: `for_owner`, and those of the agents except one who has just acted.
-- A channel holds 100 that wait; what comes beyond is left out. The same source is told once.
CREATE FUNCTION tell_owners(what text, agents text[], for_owner text, acting_owner text, told_source text, told_at timestamptz)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO notifications (channel_id, kind, agent_id, source, at)
  SELECT c.id, what, told.agent_id, told_source, told_at
  FROM (SELECT DISTINCT ON (owner_id) owner_id, id AS agent_id FROM identities
        WHERE id = ANY (agents) AND owner_id IS NOT NULL AND owner_id IS DISTINCT FROM acting_owner ORDER BY owner_id, id) told
    JOIN owners o ON o.id = told.owner_id AND o.disabled_at IS NULL AND what = ANY (o.told_kinds)
    JOIN owner_channels c ON c.owner_id = o.id AND c.enabled
  WHERE (SELECT count(*) FROM (SELECT FROM notifications n WHERE n.channel_id = c.id AND n.ended_at IS NULL LIMIT 100) waiting) < 100
  UNION ALL
  SELECT c.id, what, NULL, told_source, told_at
  FROM owners o JOIN owner_channels c ON c.owner_id = o.id AND c.enabled
  WHERE o.id = for_owner AND o.disabled_at IS NULL AND what = ANY (o.told_kinds)
    AND (SELECT count(*) FROM (SELECT FROM notifications n WHERE n.channel_id = c.id AND n.ended_at IS NULL LIMIT 100) waiting) < 100
  ON CONFLICT DO NOTHING
$$;

-- Acts that owners are told of. The audit trail has them all, in the transaction that does them.
CREATE FUNCTION audit_events_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_owners(
    CASE WHEN NEW.action = 'request_approval' THEN 'approval' WHEN NEW.action = 'webhook_disabled' THEN 'webhook'
      WHEN NEW.action = 'sign_in' THEN 'sign_in' WHEN NEW.type LIKE 'dispute.%' THEN 'dispute' ELSE 'domain' END,
    CASE WHEN NEW.action = 'request_approval' THEN ARRAY[NEW.actor_id] WHEN NEW.action = 'webhook_disabled' THEN ARRAY[NEW.subject_id]
      ELSE NEW.recipients END,
    CASE WHEN NEW.action = 'sign_in' THEN NEW.subject_id END,
    CASE WHEN NEW.actor_kind = 'owner' THEN NEW.actor_id END,
    NEW.id, NEW.at);
  RETURN NULL;
END
$$;

CREATE TRIGGER audit_events_tell AFTER INSERT ON audit_events FOR EACH ROW
  WHEN (NEW.action IN ('request_approval', 'webhook_disabled', 'sign_in')
    OR NEW.type IN ('dispute.opened', 'dispute.statement', 'identity.grace', 'identity.lapsed'))
  EXECUTE FUNCTION audit_events_tell();

-- A webhook whose third attempt has failed is more than busy.
CREATE FUNCTION webhooks_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_owners('webhook', ARRAY[NEW.identity_id], NULL, NULL, NEW.identity_id || ' ' || NEW.failing_since, now());
  RETURN NULL;
END
$$;

CREATE TRIGGER webhooks_tell AFTER UPDATE OF failures ON webhooks FOR EACH ROW
  WHEN (NEW.failures = 3 AND OLD.failures < 3) EXECUTE FUNCTION webhooks_tell();
