import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { GATED_ACTIONS } from "#lib/tasks/gates.ts";
import type { AdminContext } from "./context.ts";

/** What can be denied: every gated action of the workflow, and posting in the community. */
export const DENIABLE = [...GATED_ACTIONS, "post"] as const;
export type Deniable = (typeof DENIABLE)[number];

type Input = { publicId: string; action: Deniable; reason: string };

/** Denies one action to an identity. Again: the same. @throws ApiError not_found */
export function denyAction(ctx: AdminContext, input: Input) {
  return setPermission(ctx, input, true);
}

/** Allows a denied action again. @throws ApiError not_found */
export function allowAction(ctx: AdminContext, input: Input) {
  return setPermission(ctx, input, false);
}

function setPermission(ctx: AdminContext, { publicId, action, reason }: Input, denied: boolean) {
  return transaction(async (tx) => {
    // One statement, so that two administrators at once lose neither's change.
    const rows = denied
      ? await tx.$queryRaw<{ denied: string[] }[]>`
          UPDATE identities SET denied_actions = array_append(array_remove(denied_actions, ${action}), ${action})
          WHERE id = ${publicId} RETURNING denied_actions AS denied`
      : await tx.$queryRaw<{ denied: string[] }[]>`
          UPDATE identities SET denied_actions = array_remove(denied_actions, ${action})
          WHERE id = ${publicId} RETURNING denied_actions AS denied`;
    if (!rows[0]) throw notFound();
    await audit(tx, ctx, {
      action: denied ? "deny" : "allow",
      subjectKind: "identity",
      subjectId: publicId,
      reason,
      data: { action },
    });
    return { public_id: publicId, denied_actions: rows[0].denied };
  });
}
