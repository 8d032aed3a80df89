import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";
import type { Deniable } from "./schema.ts";
import { findSubject } from "./subjects.ts";

type Input = { publicId: string; action: Deniable; reason: string };

/**
 * Denies one action to an identity and its profile. Repeating it changes nothing.
 * @throws ApiError not_found, forbidden (own_subject)
 */
export function denyAction(ctx: AdminContext, input: Input) {
  return setPermission(ctx, input, true);
}

/** Allows a denied action again. Repeating it changes nothing. @throws ApiError not_found, forbidden (own_subject) */
export function allowAction(ctx: AdminContext, input: Input) {
  return setPermission(ctx, input, false);
}

function setPermission(ctx: AdminContext, { publicId, action, reason }: Input, denied: boolean) {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, publicId);
    const { kind } = await findSubject(tx, publicId);
    const lists = [
      ...(await changeList(tx, "identities", publicId, action, denied)),
      ...(await changeList(tx, "profiles", publicId, action, denied)),
    ];
    await audit(tx, ctx, {
      action: denied ? "deny" : "allow",
      subjectKind: kind,
      subjectId: publicId,
      reason,
      data: { action },
    });
    return { public_id: publicId, denied_actions: [...new Set(lists)] };
  });
}

/** One statement, so that two administrators at once lose neither's change. */
async function changeList(
  tx: Tx,
  table: "identities" | "profiles",
  publicId: string,
  action: Deniable,
  denied: boolean,
): Promise<string[]> {
  const list = denied ? "array_append(array_remove(denied_actions, $2), $2)" : "array_remove(denied_actions, $2)";
  const rows = await tx.$queryRawUnsafe<{ denied: string[] }[]>(
    `UPDATE ${table} SET denied_actions = ${list} WHERE id = $1 RETURNING denied_actions AS denied`,
    publicId,
    action,
  );
  return rows[0]?.denied ?? [];
}
