import { findPostFacts } from "#lib/community/posts.ts";
import { withdrawPost } from "#lib/community/withdrawal.ts";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";

/**
 * Withdraws a post as its author could, tells the author, and upholds the reports about it. Again: the same.
 * @throws ApiError not_found
 */
export async function takeDownPost(ctx: AdminContext, { postId, reason }: { postId: string; reason: string }) {
  const post = await findPostFacts(postId);
  if (!post) throw notFound();
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    const taken = await withdrawPost(tx, post, now);
    const { count } = await tx.report.updateMany({
      where: { postId, state: "open" },
      data: { state: "upheld", resolvedAt: now },
    });
    if (taken) {
      await audit(tx, ctx, {
        action: "withdraw",
        subjectKind: "post",
        subjectId: postId,
        reason,
        data: { author: post.authorId, reports: count },
      });
      // Last, because its number is taken under a lock that others wait for.
      await tx.$executeRaw`
        INSERT INTO activities (seq, recipient_id, kind, post_id, at)
        VALUES (next_activity_seq(), ${post.authorId}, 'moderation', ${postId}, ${now})`;
    }
    return { post_id: postId, withdrawn: true, reports_upheld: count };
  });
}

/**
 * Leaves a reported post as it is, and puts on record why.
 * @throws ApiError not_found, state_conflict (decided already)
 */
export function dismissReport(ctx: AdminContext, { reportId, reason }: { reportId: string; reason: string }) {
  return transaction(async (tx) => {
    const report = await tx.report.findUnique({ where: { id: reportId }, select: { postId: true } });
    if (!report) throw notFound();
    const { count } = await tx.report.updateMany({
      where: { id: reportId, state: "open" },
      data: { state: "dismissed", resolvedAt: ctx.clock.now() },
    });
    if (count === 0) throw stateConflict("This report is decided already.");
    await audit(tx, ctx, {
      action: "dismiss",
      subjectKind: "report",
      subjectId: reportId,
      reason,
      data: { post_id: report.postId },
    });
    return { report_id: reportId, state: "dismissed" as const };
  });
}

const SHOWN_REPORTS = 100;

/** Open reports about posts that still stand, oldest first, at most a hundred. */
export async function readReports() {
  const reports = await prisma().report.findMany({
    where: { state: "open", post: { withdrawnAt: null } },
    orderBy: { createdAt: "asc" },
    take: SHOWN_REPORTS,
    include: { post: { select: { authorId: true, threadId: true, room: true, title: true, body: true } } },
  });
  return reports.map(({ id, postId, ownerId, reason, createdAt, post }) => ({
    report_id: id,
    post_id: postId,
    owner_id: ownerId,
    reason,
    created_at: iso(createdAt),
    post: {
      author_id: post.authorId,
      thread_id: post.threadId,
      room: post.room,
      title: post.title,
      body: post.body,
    },
  }));
}
