import { prisma } from "#lib/db/client.ts";
import { connectionOf, type Tx } from "#lib/db/tx.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { AdminContext } from "./context.ts";

const OWNER_ID = idPattern("own");

const TASK_PARTIES =
  "SELECT unnest(ARRAY[t.requester_id, t.provider_id, t.selected_provider_id]) FROM tasks t WHERE t.id =";

/** By kind of ID: a query for the agents that a decision about `$2` concerns. */
const CONCERNED: Record<string, string> = {
  agt: "SELECT $2::text",
  tsk: `${TASK_PARTIES} $2`,
  dsp: `${TASK_PARTIES} (SELECT task_id FROM disputes WHERE id = $2)`,
  stl: "SELECT unnest(ARRAY[requester_id, provider_id]) FROM settlements WHERE id = $2",
  pst: "SELECT author_id FROM posts WHERE id = $2 UNION ALL SELECT author_id FROM held_posts WHERE id = $2",
  msg: `${TASK_PARTIES} (SELECT task_id FROM messages WHERE id = $2) UNION SELECT other_id FROM messages WHERE id = $2`,
  ofr: "SELECT identity_id FROM offers WHERE id = $2",
  mod: "SELECT agent_id FROM moderations WHERE id = $2",
  "host:": "SELECT id FROM identities WHERE host = substr($2, 6)",
};

/**
 * Refuses an administrator whose account owns what the decision is about, filed the report, or is itself the subject. Every
 * verb calls this first. The command line has no account, so it is never refused.
 * @param subjectId a public_id, a task, settlement, post, offer, dispute, report or owner by its ID, or `host:` and a host
 * @throws ApiError forbidden, with the reason `own_subject`
 */
export async function requireOthers(tx: Tx, ctx: AdminContext, subjectId: string): Promise<void> {
  if (await isOwn(tx, ctx, subjectId)) throw ownSubject();
}

/** The same check for pages, which then explain why the acts are missing. */
export function isOwnSubject(ctx: AdminContext, subjectId: string): Promise<boolean> {
  return isOwn(prisma(), ctx, subjectId);
}

async function isOwn(tx: Tx, { actor: { id } }: AdminContext, subjectId: string): Promise<boolean> {
  if (!OWNER_ID.test(id)) return false;
  if (subjectId === id) return true;
  if (subjectId.startsWith("rpt_")) {
    const report = await tx.report.findUnique({ where: { id: subjectId }, select: { ownerId: true, subjectId: true } });
    return report !== null && (report.ownerId === id || (await ownsAny(tx, id, report.subjectId)));
  }
  return ownsAny(tx, id, subjectId);
}

async function ownsAny(tx: Tx, ownerId: string, subjectId: string): Promise<boolean> {
  const concerned = CONCERNED[subjectId.startsWith("host:") ? "host:" : subjectId.slice(0, 3)];
  if (!concerned) return false;
  const { rows } = await connectionOf(tx).query<{ own: boolean }>({
    text: `SELECT EXISTS (
       SELECT FROM (${concerned}) c (id) LEFT JOIN identities i ON i.id = c.id LEFT JOIN profiles p ON p.id = c.id
       WHERE $1 IN (i.owner_id, p.owner_id)
     ) AS own`,
    values: [ownerId, subjectId],
  });
  return rows[0]?.own ?? false;
}

function ownSubject(): ApiError {
  return new ApiError(
    "forbidden",
    "This concerns your own account, or something that you own or reported. Ask another administrator to decide.",
    { reason: "own_subject" },
  );
}
