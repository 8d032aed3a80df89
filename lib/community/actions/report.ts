import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { requireAllowance } from "#lib/db/rate-limit.ts";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { LIMITS } from "#lib/kernel/limits.ts";
import { findPostFacts } from "../posts.ts";
import type { ReportAnswer, ReportInput } from "../schema.ts";

/**
 * Tells the administrator of a post; told again by the same owner, it is the same report.
 * @throws ApiError not_found, state_conflict (withdrawn meanwhile), rate_limited
 */
export async function reportPost(
  ctx: OwnerContext,
  input: Pick<z.output<typeof ReportInput>, "post_id" | "reason">,
): Promise<z.output<typeof ReportAnswer>> {
  const { post_id: postId, reason } = input;
  const ownerId = ctx.actor.id;
  const now = ctx.clock.now();
  const post = await findPostFacts(postId);
  if (!post) throw notFound();
  return transaction(async (tx) => {
    // The owner's lock: reports are counted and told apart one at a time.
    await tx.$executeRaw`SELECT 1 FROM owners WHERE id = ${ownerId} FOR NO KEY UPDATE`;
    const known = await tx.report.findUnique({ where: { postId_ownerId: { postId, ownerId } }, select: { id: true } });
    if (known) return { report_id: known.id };
    if (post.withdrawn) throw stateConflict("This post is withdrawn already.");
    const recent = await tx.report.findMany({
      where: { ownerId, createdAt: { gt: secondsAfter(now, -LIMITS.report.seconds) } },
      orderBy: { createdAt: "desc" },
      select: { createdAt: true },
    });
    requireAllowance(
      "report",
      recent.map(({ createdAt }) => createdAt),
      now,
    );
    const report = { id: newId("rpt"), postId, ownerId, reason, createdAt: now };
    await tx.report.create({ data: report, select: { id: true } });
    await audit(tx, ctx, {
      action: "report",
      subjectKind: "post",
      subjectId: postId,
      reason,
      data: { report_id: report.id },
    });
    return { report_id: report.id };
  });
}
