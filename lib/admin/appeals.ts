import { viewModeration } from "#lib/community/moderation/appeals.ts";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { ApiError, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";

const OWNER_ID = idPattern("own");

type Decision = { moderationId: string; reason: string };

/** Upholds an appeal. What follows from it, such as releasing a post or lifting a hold, is done separately. */
export function upholdAppeal(ctx: AdminContext, input: Decision) {
  return decide(ctx, input, "upheld");
}

/** Rejects an appeal: the act stands. */
export function rejectAppeal(ctx: AdminContext, input: Decision) {
  return decide(ctx, input, "rejected");
}

/**
 * Another administrator than the one whose act it is about decides, where there is one. The command line has no account, so it may always.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (no open appeal)
 */
function decide(ctx: AdminContext, { moderationId: id, reason }: Decision, state: "upheld" | "rejected") {
  return transaction(async (tx) => {
    const found = await tx.moderation.findUnique({ where: { id } });
    if (!found) throw notFound();
    await requireOthers(tx, ctx, found.agentId);
    if (await isForAnother(tx, ctx, found.doneBy))
      throw new ApiError("forbidden", "This appeal is about your own act. Ask another administrator to decide.", {
        reason: "own_subject",
      });
    const { count } = await tx.moderation.updateMany({
      where: { id, appeal: "open" },
      data: { appeal: state, decidedBy: ctx.actor.id, decidedAt: ctx.clock.now(), decisionReason: reason },
    });
    if (count === 0)
      throw stateConflict(
        found.appeal ? `This appeal has already been ${found.appeal}.` : "Nobody has appealed against this.",
      );
    await audit(tx, ctx, {
      action: state === "upheld" ? "uphold" : "reject",
      subjectKind: "moderation",
      subjectId: id,
      reason,
      data: { rule: 6, public_id: found.agentId, act: found.act },
    });
    return { moderation_id: id, state };
  });
}

/** Whether an appeal against an act of `doneBy` is for another administrator to decide, because the caller acted and there is one. */
async function isForAnother(tx: Pick<Tx, "owner">, { actor: { id } }: AdminContext, doneBy: string): Promise<boolean> {
  if (doneBy !== id || !OWNER_ID.test(id)) return false;
  return (await tx.owner.count({ where: { role: "administrator", disabledAt: null, id: { not: id } } })) > 0;
}

/** The same question for the page, which then explains why nothing can be decided. */
export const mustLeaveToAnother = (ctx: AdminContext, doneBy: string): Promise<boolean> =>
  isForAnother(prisma(), ctx, doneBy);

const SHOWN = 100;

/** The oldest 100 open appeals, each with the act that it is about. */
export async function readAppeals() {
  const rows = await prisma().moderation.findMany({
    where: { appeal: "open" },
    orderBy: [{ appealedAt: "asc" }, { id: "asc" }],
    take: SHOWN,
  });
  return rows.map((row) => ({ ...viewModeration(row), done_by: row.doneBy }));
}
