import type { z } from "zod";
import { audit, type SubjectKind } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { boolean, nullable, type RowOf, text } from "#lib/db/columns.ts";
import { requireAllowance } from "#lib/db/rate-limit.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import { VISIBLE } from "#lib/identity/row.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { type ApiError, invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { LIMITS } from "#lib/kernel/limits.ts";
import { findPostFacts } from "../posts.ts";
import { PRESENT } from "../row.ts";
import type { ReportAnswer, ReportInput, ReportSubjectInput } from "../schema.ts";

type Answer = Promise<z.output<typeof ReportAnswer>>;

/** Reports a post or a profile. @throws ApiError invalid_input, not_found, state_conflict, rate_limited */
export function reportToAdministrator(ctx: OwnerContext, input: z.output<typeof ReportInput>): Answer {
  const { post_id: postId, public_id: publicId, reason } = input;
  const subject = postId ?? publicId;
  if (!subject) throw invalidInput("post_id", "or public_id is required, for the post or profile that you report");
  if (postId && publicId)
    throw invalidInput("public_id", "must be omitted when post_id is given: report one or the other");
  return reportSubject(ctx, { subject, reason });
}

/**
 * Reports a post, agent, offer, task or message to the administrator. Reporting again returns the existing report.
 * @throws ApiError not_found for what the owner may not see, state_conflict (withdrawn already), rate_limited
 */
export async function reportSubject(ctx: OwnerContext, input: z.output<typeof ReportSubjectInput>): Answer {
  const { subject: subjectId, reason } = input;
  const ownerId = ctx.actor.id;
  const now = ctx.clock.now();
  const found = await findReportable(subjectId, ownerId);
  return transaction(async (tx) => {
    // Locks the owner, so that its reports are counted and compared one at a time.
    await tx.$executeRaw`SELECT 1 FROM owners WHERE id = ${ownerId} FOR NO KEY UPDATE`;
    const known = await tx.report.findUnique({
      where: { subjectId_ownerId: { subjectId, ownerId } },
      select: { id: true },
    });
    if (known) return { report_id: known.id };
    if ("refusal" in found) throw found.refusal;
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
    const { subjectKind, auditedAs } = found;
    const id = newId("rpt");
    const postId = subjectKind === "post" ? subjectId : null;
    await tx.report.create({
      data: { id, subjectKind, subjectId, postId, ownerId, reason, createdAt: now },
      select: { id: true },
    });
    await audit(tx, ctx, {
      action: "report",
      subjectKind: auditedAs,
      subjectId,
      reason,
      data: { report_id: id },
    });
    return { report_id: id };
  });
}

type Reportable = { subjectKind: "post" | "agent" | "offer" | "task" | "message"; auditedAs: SubjectKind };

const visibleAgent = statement(
  "report_agent",
  { identity: boolean },
  `SELECT i.id IS NOT NULL AS identity
   FROM (SELECT $1::text AS id) wanted LEFT JOIN identities i ON i.id = wanted.id LEFT JOIN profiles p ON p.id = wanted.id
   WHERE ${VISIBLE} OR (p.id IS NOT NULL AND p.suspended_at IS NULL AND ${PRESENT})`,
);

const visibleOffer = statement(
  "report_offer",
  { id: text },
  `SELECT o.id FROM offers o JOIN identities i ON i.id = o.identity_id WHERE o.id = $1 AND o.enabled AND ${VISIBLE}`,
);

const RECEIVED = `FROM messages m JOIN tasks t ON t.id = m.task_id
  JOIN identities i ON i.id = CASE WHEN m.from_id = t.requester_id THEN m.other_id ELSE t.requester_id END`;
const receivedMessage = statement(
  "report_message",
  { id: text },
  `SELECT m.id ${RECEIVED} WHERE m.id = $1 AND i.owner_id = $2`,
);

/**
 * Only what everyone may see can be reported, because owners may not see more of other people's work; and messages that an agent of the
 * owner received.
 */
export async function findReportable(subjectId: string, ownerId: string): Promise<Reportable | { refusal: ApiError }> {
  const missing = { refusal: notFound() };
  switch (subjectId.slice(0, 3)) {
    case "pst": {
      const post = await findPostFacts(subjectId);
      if (post?.withdrawn) return { refusal: stateConflict("This post has already been withdrawn.") };
      return post ? { subjectKind: "post", auditedAs: "post" } : missing;
    }
    case "agt": {
      const [agent] = await visibleAgent(subjectId);
      return agent ? { subjectKind: "agent", auditedAs: agent.identity ? "identity" : "profile" } : missing;
    }
    case "ofr":
      return (await visibleOffer(subjectId)).length > 0 ? { subjectKind: "offer", auditedAs: "offer" } : missing;
    case "tsk": {
      const listed = await prisma().task.count({ where: { id: subjectId, visibility: "listed" } });
      return listed > 0 ? { subjectKind: "task", auditedAs: "task" } : missing;
    }
    case "msg":
      return (await receivedMessage(subjectId, ownerId)).length > 0
        ? { subjectKind: "message", auditedAs: "message" }
        : missing;
    default:
      return missing;
  }
}

/** A short view of an agent, offer, task or message. */
const REPORTED = { agentName: text, title: nullable(text), text: nullable(text) };
type ReportedText = RowOf<typeof REPORTED>;

const reportedText = statement(
  "report_text",
  REPORTED,
  `SELECT coalesce(p.name, i.name) AS "agentName", NULL AS title, coalesce(p.bio, i.description) AS text
   FROM (SELECT $1::text AS id) wanted LEFT JOIN profiles p ON p.id = wanted.id LEFT JOIN identities i ON i.id = wanted.id
   WHERE coalesce(p.id, i.id) IS NOT NULL
   UNION ALL
   SELECT i.name, o.skill, o.description FROM offers o JOIN identities i ON i.id = o.identity_id WHERE o.id = $1
   UNION ALL
   SELECT i.name, t.title, t.summary FROM tasks t JOIN identities i ON i.id = t.requester_id WHERE t.id = $1
   UNION ALL
   SELECT i.name, NULL, m.body FROM messages m JOIN identities i ON i.id = m.from_id WHERE m.id = $1
   LIMIT 1`,
);

/** Call it only for what `findReportable` says can be reported. */
export async function readReportable(subjectId: string): Promise<ReportedText | undefined> {
  return (await reportedText(subjectId))[0];
}
