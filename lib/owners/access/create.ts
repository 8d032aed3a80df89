import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { bytea, integer, nullable, text, timestamp } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx, transaction } from "#lib/db/tx.ts";
import { BY_HAND } from "#lib/identity/access.ts";
import type { OwnerActor, ServiceActor } from "#lib/kernel/actor.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { digestSecret, equalBytes, newSecret } from "#lib/kernel/secrets.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import { requireStillOpen } from "../sessions/session.ts";
import { type CreateAnswer, type CreateInput, DEFAULT_DAYS } from "./schema.ts";
import { viewAccess } from "./view.ts";

export type AccessContext = Context<ServiceActor | OwnerActor>;

/** Live access tokens of one identity. */
const QUOTA = 20;
const DAY_SECONDS = 86_400;

const lockIdentity = statement(
  "access.lock_identity",
  { ownerId: nullable(text), tokenDigest: bytea, leakedAt: nullable(timestamp) },
  `SELECT owner_id AS "ownerId", token_digest AS "tokenDigest", leaked_at AS "leakedAt" FROM identities WHERE id = $1 FOR NO KEY UPDATE`,
);

const countLive = statement(
  "access.count",
  { live: integer },
  `SELECT count(*)::int AS live FROM (
     SELECT FROM access_tokens WHERE identity_id = $1 AND expires_at > $2 AND ${BY_HAND} LIMIT ${QUOTA}) counted`,
);

/**
 * Creates an access token, which only this answer contains.
 * @throws ApiError not_found (not this owner's agent), forbidden (step_up_required), quota_exceeded,
 *   invalid_credential (the management token was replaced meanwhile)
 */
export async function createAccess(
  ctx: AccessContext,
  { public_id: identityId, ...input }: z.output<typeof CreateInput>,
): Promise<z.input<typeof CreateAnswer>> {
  const { actor } = ctx;
  const token = newSecret("gha");
  const createdAt = ctx.clock.now();
  const row = await transaction(async (tx) => {
    await admit(tx, ctx, identityId);
    const [counted] = await countLive.on(connectionOf(tx), identityId, createdAt);
    if ((counted?.live ?? 0) >= QUOTA) throw quotaExceeded();
    const created = await tx.accessToken.create({
      data: {
        id: newId("tok"),
        identityId,
        ownerId: actor.kind === "owner" ? actor.id : null,
        digest: Uint8Array.from(digestSecret(token)),
        name: input.name,
        scopes: input.scopes,
        maxPricePence: input.max_price_pence ?? null,
        hint: token.slice(-4),
        createdAt,
        expiresAt: secondsAfter(createdAt, (input.expires_in_days ?? DEFAULT_DAYS) * DAY_SECONDS),
      },
      omit: { digest: true },
    });
    await audit(tx, ctx, {
      action: "access_create",
      subjectKind: "identity",
      subjectId: identityId,
      data: {
        access_id: created.id,
        name: created.name,
        scopes: created.scopes,
        max_price_pence: created.maxPricePence,
        expires_at: created.expiresAt.toISOString(),
      },
    });
    return created;
  });
  return { access: viewAccess(row), access_token: token };
}

/**
 * Locks one of the owner's identities, as `admit` does, in a session that is still open.
 * @throws ApiError not_found, invalid_credential
 */
export async function admitOwner(tx: Tx, actor: OwnerActor, identityId: string): Promise<void> {
  const [identity] = await lockIdentity.on(connectionOf(tx), identityId);
  if (identity?.ownerId !== actor.id) throw notFound();
  await requireStillOpen(tx, actor);
}

/**
 * Locks the identity, so that a token cannot be created while another management token is issued, which ends all of them, and
 * checks who may do this.
 */
async function admit(tx: Tx, ctx: AccessContext, identityId: string): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === "owner") {
    await admitOwner(tx, actor, identityId);
    requireRecentConfirmation({ actor, clock: ctx.clock });
    return;
  }
  const [identity] = await lockIdentity.on(connectionOf(tx), identityId);
  if (!identity) throw notFound();
  const { credential } = actor;
  const digests = credential?.kind === "management" ? [credential.token.digest, ...credential.token.others()] : [];
  if (!identity.leakedAt && digests.some((digest) => equalBytes(digest, identity.tokenDigest))) return;
  throw new ApiError("invalid_credential", "This management token was replaced or reported as leaked meanwhile.");
}

function quotaExceeded(): ApiError {
  const message = `This identity has ${QUOTA} live access tokens, which is the most it may have. Remove one with agents/access_remove.php, or wait until one expires.`;
  return new ApiError("quota_exceeded", message, { reason: "access_tokens" });
}
