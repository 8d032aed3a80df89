import type { z } from "zod";
import { transaction } from "#lib/db/tx.ts";
import { endAccess } from "#lib/identity/access.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AccessContext } from "./create.ts";
import { requireOwnIdentity } from "./list.ts";
import type { RemoveAnswer, RemoveInput } from "./schema.ts";

/** Ends an access token at once, in every process. An owner needs no confirmation for that. @throws ApiError not_found */
export async function removeAccess(
  ctx: AccessContext,
  { public_id: identityId, access_id: accessId }: z.output<typeof RemoveInput>,
): Promise<z.input<typeof RemoveAnswer>> {
  if (ctx.actor.kind === "owner") await requireOwnIdentity(ctx.actor.id, identityId);
  const ended = await transaction((tx) =>
    endAccess(tx, ctx, { by: "id", values: [identityId, accessId, ctx.clock.now()], action: "access_remove" }),
  );
  if (ended === 0) throw notFound();
  return { access_id: accessId };
}
