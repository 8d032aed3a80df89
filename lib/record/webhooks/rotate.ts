import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { iso, secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { RotateAnswer } from "./schema.ts";
import { newSecret, OLD_SECRET_SECONDS } from "./secret.ts";

/**
 * Replaces the secret. Until the old one expires, both sign, so that the receiver can change over without missing an event. Only
 * the latest of several replaced secrets goes on signing.
 * @throws ApiError not_found
 */
export async function rotateSecret(ctx: ServiceContext): Promise<z.output<typeof RotateAnswer>> {
  const identityId = ctx.actor.id;
  const now = ctx.clock.now();
  const until = secondsAfter(now, OLD_SECRET_SECONDS);
  const { shown, sealed } = newSecret(identityId);
  await transaction(async (tx) => {
    const count = await tx.$executeRaw`UPDATE webhooks SET previous_secret = secret, previous_until = ${until},
      secret = ${sealed}, version = version + 1, updated_at = ${now} WHERE identity_id = ${identityId}`;
    if (count === 0) throw notFound();
    await audit(tx, ctx, { action: "webhook_rotate", subjectKind: "identity", subjectId: identityId });
  });
  return { secret: shown, old_secret_until: iso(until) };
}
