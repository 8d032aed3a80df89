import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";

const TOKEN_SECONDS = 3_600;
/** A program that refreshes early keeps this many of its latest tokens, for calls that are under way. */
const KEPT = 3;

type Found = {
  ownerId: string;
  identityId: string;
  clientName: string;
  clientId: string;
  resource: string;
  scopes: Scope[];
  maxPricePence: number | null;
  expiresAt: Date;
  isOwners: boolean;
};

/**
 * Issues an access token for a connection: an ordinary one, bound to its identity, program and resource, for an hour.
 * @param scopes what oidc-provider granted; never more than the owner allowed
 * @returns undefined if the connection has ended, or the agent is no longer the owner's
 */
export async function issueAccess(ctx: Context, connectionId: string, scopes: readonly string[]) {
  const token = newSecret("gha");
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    const [found] = await tx.$queryRaw<Found[]>`
      SELECT c.owner_id AS "ownerId", c.identity_id AS "identityId", c.client_name AS "clientName", c.client_id AS "clientId",
        c.resource, c.scopes, c.max_price_pence AS "maxPricePence", c.expires_at AS "expiresAt",
        i.owner_id = c.owner_id AND o.disabled_at IS NULL AS "isOwners"
      FROM oauth_connections c JOIN identities i ON i.id = c.identity_id JOIN owners o ON o.id = c.owner_id
      WHERE c.id = ${connectionId} FOR UPDATE OF c`;
    const allowed = found?.scopes.filter((scope) => scopes.includes(scope)) ?? [];
    if (!found?.isOwners || found.expiresAt <= now || allowed.length === 0) return undefined;
    const { identityId, ownerId, clientName, clientId, resource, maxPricePence } = found;
    const last = secondsAfter(now, TOKEN_SECONDS);
    const expiresAt = new Date(Math.min(last.getTime(), found.expiresAt.getTime()));
    const id = newId("tok");
    await tx.accessToken.create({
      data: {
        id,
        identityId,
        ownerId,
        connectionId,
        resource,
        maxPricePence,
        expiresAt,
        digest: Uint8Array.from(digestSecret(token)),
        name: clientName.slice(0, 60),
        scopes: allowed,
        hint: token.slice(-4),
        createdAt: now,
      },
      select: { id: true },
    });
    await tx.$executeRaw`
      DELETE FROM access_tokens WHERE connection_id = ${connectionId} AND id NOT IN (
        SELECT id FROM access_tokens WHERE connection_id = ${connectionId} ORDER BY created_at DESC, id DESC LIMIT ${KEPT})`;
    await tx.oauthConnection.update({ where: { id: connectionId }, data: { lastUsedAt: now }, select: { id: true } });
    await tx.oauthClient.updateMany({ where: { id: clientId }, data: { lastUsedAt: now } });
    await audit(tx, ctx, {
      action: "access_issue",
      subjectKind: "identity",
      subjectId: identityId,
      data: { access_id: id, name: clientName, connection_id: connectionId, scopes: allowed },
    });
    const expiresIn = Math.max(1, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));
    return { token, scopes: allowed, expiresIn };
  });
}
