import { recordModeration } from "#lib/community/moderation/appeals.ts";
import { findPostFacts } from "#lib/community/posts.ts";
import { withdrawalEvent, withdrawPost } from "#lib/community/withdrawal.ts";
import { audit } from "#lib/db/audit.ts";
import { connectionOf, transaction } from "#lib/db/tx.ts";
import { iso } from "#lib/kernel/clock.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { dropUnneeded } from "#lib/tasks/files/contents.ts";
import { recordRemoval } from "#lib/tasks/files/remove.ts";
import { keptOfTask } from "#lib/tasks/files/rows.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";
import { readPendingReports } from "./page-reads/reports.ts";

/**
 * Withdraws a post as its author could, notifies the author, and upholds the open reports about it, except one that this
 * administrator made: another administrator decides that one. Repeating it changes nothing.
 * @throws ApiError not_found, forbidden (own_subject)
 */
export async function takeDownPost(ctx: AdminContext, { postId, reason }: { postId: string; reason: string }) {
  const post = await findPostFacts(postId);
  if (!post) throw notFound();
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, postId);
    const isFirst = await withdrawPost(tx, post, now);
    const { count } = await tx.report.updateMany({
      where: { subjectId: postId, state: "open", NOT: { ownerId: ctx.actor.id } },
      data: { state: "upheld", resolvedAt: now },
    });
    if (isFirst) {
      await audit(tx, ctx, {
        action: "withdraw",
        subjectKind: "post",
        subjectId: postId,
        reason,
        data: { author: post.authorId, reports: count },
        event: await withdrawalEvent(tx, post),
      });
      await recordModeration(tx, ctx, { agentId: post.authorId, act: "withdraw", subjectId: postId, reason });
      // Last, because taking its number holds a lock that other transactions wait for.
      await tx.$executeRaw`
        INSERT INTO activities (seq, recipient_id, kind, post_id, at)
        VALUES (next_activity_seq(), ${post.authorId}, 'moderation', ${postId}, ${now})`;
    }
    return { post_id: postId, withdrawn: true, reports_upheld: count };
  });
}

type Decision = { reportId: string; reason: string };

/**
 * Dismisses a report and records the reason. What was reported stays as it is.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (already decided)
 */
export function dismissReport(ctx: AdminContext, input: Decision) {
  return decideReport(ctx, input, "dismissed");
}

/**
 * Upholds a report and records the reason. The bytes of a reported task's files are removed; further decisions, such as a hold, are
 * separate.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (already decided)
 */
export function upholdReport(ctx: AdminContext, input: Decision) {
  return decideReport(ctx, input, "upheld");
}

async function decideReport(ctx: AdminContext, { reportId, reason }: Decision, state: "upheld" | "dismissed") {
  const removed: string[] = [];
  const decided = await transaction(async (tx) => {
    const report = await tx.report.findUnique({
      where: { id: reportId },
      select: { subjectKind: true, subjectId: true },
    });
    if (!report) throw notFound();
    await requireOthers(tx, ctx, reportId);
    const { count } = await tx.report.updateMany({
      where: { id: reportId, state: "open" },
      data: { state, resolvedAt: ctx.clock.now() },
    });
    if (count === 0) throw stateConflict("This report has already been decided.");
    const named = report.subjectKind === "agent" ? "public_id" : `${report.subjectKind}_id`;
    await audit(tx, ctx, {
      action: state === "upheld" ? "uphold" : "dismiss",
      subjectKind: "report",
      subjectId: reportId,
      reason,
      data: { [named]: report.subjectId },
    });
    // What was rightly reported must not be downloaded again.
    if (state === "upheld" && report.subjectKind === "task") {
      const connection = connectionOf(tx);
      const files = await keptOfTask.on(connection, report.subjectId);
      removed.push(
        ...(await recordRemoval(
          connection,
          ctx,
          files.map(({ id }) => id),
          reason,
        )),
      );
    }
    return { report_id: reportId, state };
  });
  await dropUnneeded(removed);
  return decided;
}

const SHOWN_REPORTS = 100;

/** The oldest 100 open reports, without those about posts that have since been withdrawn. */
export async function readReports() {
  const reports = await readPendingReports(SHOWN_REPORTS);
  return reports.map(
    ({ id, kind, subjectId, agentId, agentName, title, body, post, reporterId, reason, createdAt }) => ({
      report_id: id,
      subject: {
        kind,
        id: subjectId,
        title,
        text: body,
        agent: agentId ? { public_id: agentId, name: agentName } : null,
      },
      post_id: post && subjectId,
      owner_id: reporterId,
      reason,
      created_at: iso(createdAt),
      post: post && { author_id: agentId, thread_id: post.threadId, room: post.room, title, body },
    }),
  );
}
