import { prisma } from "#lib/db/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { endAccess } from "#lib/identity/access.ts";
import type { Context, OwnerContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { recordSecurityEvent } from "#lib/owners/security-log.ts";

/** Why a connection ended, as the owner's security log names it. */
type Ending = "connection_end" | "connection_given_up" | "connection_reuse";

/** Ends a connection at once: its tokens stop working, and it gets no more. Does nothing if it has ended. */
export async function endConnection(ctx: Context, connectionId: string, action: Ending): Promise<boolean> {
  return transaction((tx) => endIn(tx, ctx, connectionId, action));
}

async function endIn(tx: Tx, ctx: Context, connectionId: string, action: Ending): Promise<boolean> {
  // No token is issued for it from here on.
  const [found] = await tx.$queryRaw<{ ownerId: string; identityId: string; name: string }[]>`
    SELECT owner_id AS "ownerId", identity_id AS "identityId", client_name AS name
    FROM oauth_connections WHERE id = ${connectionId} FOR UPDATE`;
  if (!found) return false;
  const { ownerId, identityId, name } = found;
  await endAccess(tx, ctx, { by: "connection", values: [connectionId], action: "access_end" });
  await tx.oauthConnection.delete({ where: { id: connectionId } });
  await recordSecurityEvent(tx, ctx, {
    ownerId,
    action,
    data: { connection_id: connectionId, name, identity: identityId },
  });
  return true;
}

/** The owner ends one of their own. @throws ApiError not_found */
export async function disconnect(ctx: OwnerContext, { connection_id: id }: { connection_id: string }) {
  const mine = await prisma().oauthConnection.findUnique({ where: { id }, select: { ownerId: true } });
  if (mine?.ownerId !== ctx.actor.id || !(await endConnection(ctx, id, "connection_end"))) throw notFound();
  return { connection_id: id };
}

/** The programs that an owner has connected and that have been used, newest first; at most 100. */
export function connectionsOf(ownerId: string, now: Date) {
  return prisma().oauthConnection.findMany({
    where: { ownerId, expiresAt: { gt: now }, lastUsedAt: { not: null } },
    orderBy: { createdAt: "desc" },
    take: 100,
    include: { identity: { select: { name: true } } },
  });
}
