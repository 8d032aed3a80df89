import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import type { OwnerChannel } from "#lib/db/generated/client.ts";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import { pushPublicKey } from "./address.ts";
import { type Channel, KINDS } from "./schema.ts";

/** What the account page shows. */
export async function readNotifications({ id: ownerId }: OwnerActor) {
  const [{ toldKinds }, channels] = await Promise.all([
    prisma().owner.findUniqueOrThrow({ where: { id: ownerId }, select: { toldKinds: true } }),
    prisma().ownerChannel.findMany({ where: { ownerId }, orderBy: { createdAt: "asc" } }),
  ]);
  return {
    kinds: KINDS.filter((kind) => toldKinds.includes(kind)),
    channels: channels.map(viewChannel),
    pushKey: pushPublicKey() ?? null,
  };
}

export function viewChannel(row: OwnerChannel): z.output<typeof Channel> {
  return {
    channel_id: row.id,
    kind: row.kind,
    label: row.hint,
    state: row.enabled ? (row.failingSince ? "failing" : "active") : "disabled",
    last_error: row.lastError,
    last_sent_at: iso(row.lastSentAt),
    created_at: iso(row.createdAt),
  };
}
