import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { endAccess } from "#lib/identity/access.ts";
import { iso, secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";
import { requireFactorConfirmation } from "../sessions/confirmation.ts";
import { admitOwner } from "./create.ts";
import type { ActAnswer, ActInput } from "./schema.ts";

const SCOPES: Scope[] = ["read", "offers", "work", "order", "pay"];
const MOST_SECONDS = 12 * 3_600;
/** What the audit trail calls the token. */
const NAME = "Owner’s workspace";

/**
 * Creates the access token with which a browser tab of the owner works for one agent. It belongs to the session and ends with it. A
 * second factor is asked for before the first one of a session; as long as one lives, others need no confirmation.
 * @throws ApiError not_found (not this owner's agent, or without a service identity), forbidden (step_up_required)
 */
export async function actFor(
  ctx: OwnerContext,
  { public_id: identityId }: z.output<typeof ActInput>,
): Promise<z.input<typeof ActAnswer>> {
  const { actor } = ctx;
  const sessionId = actor.sessionId;
  const token = newSecret("gha");
  const createdAt = ctx.clock.now();
  return transaction(async (tx) => {
    await admitOwner(tx, actor, identityId);
    const others = await tx.accessToken.count({ where: { sessionId, expiresAt: { gt: createdAt } } });
    if (others === 0) requireFactorConfirmation({ actor, clock: ctx.clock });
    const session = await tx.ownerSession.findUniqueOrThrow({ where: { id: sessionId }, select: { expiresAt: true } });
    const last = secondsAfter(createdAt, MOST_SECONDS);
    const expiresAt = new Date(Math.min(last.getTime(), session.expiresAt.getTime()));
    const { id } = await tx.accessToken.create({
      data: {
        id: newId("tok"),
        identityId,
        ownerId: actor.id,
        sessionId,
        resource: "api",
        name: NAME,
        scopes: SCOPES,
        digest: Uint8Array.from(digestSecret(token)),
        hint: token.slice(-4),
        createdAt,
        expiresAt,
      },
      select: { id: true },
    });
    await endAccess(tx, ctx, { by: "session", values: [sessionId], action: "access_end" });
    await audit(tx, ctx, {
      action: "act_for",
      subjectKind: "identity",
      subjectId: identityId,
      data: { access_id: id, name: NAME, scopes: SCOPES, expires_at: iso(expiresAt) },
    });
    return { access_token: token, scopes: SCOPES, expires_at: iso(expiresAt) };
  });
}
