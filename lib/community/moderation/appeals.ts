import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import type { Moderation } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { OwnerActor, ProfileActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { AppealAnswer, AppealInput, ModerationsAnswer, ModerationWire } from "../schema.ts";

type Act = {
  agentId: string;
  act: z.output<typeof ModerationWire>["act"];
  /** The post, or the agent itself. */
  subjectId: string;
  rule?: number;
  reason: string;
};

/** Notes an act of moderation for the agent's owner, who can appeal against it once. */
export async function recordModeration(tx: Tx, ctx: Context<{ kind: "administrator"; id: string }>, act: Act) {
  await tx.moderation.create({
    data: { id: newId("mod"), ...act, rule: act.rule ?? null, doneBy: ctx.actor.id, at: ctx.clock.now() },
    select: { id: true },
  });
}

/**
 * Rule 6: appeals against an act of moderation, once.
 * @throws ApiError not_found (not about an agent of the caller's), state_conflict (appealed already)
 */
export function appeal(
  ctx: Context<ProfileActor | OwnerActor>,
  { moderation_id: id, reason }: z.output<typeof AppealInput>,
): Promise<z.output<typeof AppealAnswer>> {
  return transaction(async (tx) => {
    const found = await tx.moderation.findUnique({ where: { id }, select: { agentId: true } });
    if (!found || !(await isOwn(ctx.actor, found.agentId))) throw notFound();
    const now = ctx.clock.now();
    const [made] = await tx.moderation.updateManyAndReturn({
      where: { id, appeal: null },
      data: { appeal: "open", appealReason: reason, appealedAt: now },
    });
    if (!made) throw stateConflict("There has been an appeal against this already, and there is one for each act.");
    await audit(tx, ctx, {
      action: "appeal",
      subjectKind: "moderation",
      subjectId: id,
      reason,
      data: { rule: 6, public_id: made.agentId },
    });
    return { moderation: viewModeration(made) };
  });
}

const SHOWN = 100;

/** The newest 100 acts of moderation against the caller's agents. */
export async function readModerations({
  actor,
}: Pick<Context<ProfileActor | OwnerActor>, "actor">): Promise<z.output<typeof ModerationsAnswer>> {
  const rows = await prisma().moderation.findMany({
    where: { agentId: { in: await agentsOf(actor) } },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: SHOWN,
  });
  return { moderations: rows.map(viewModeration) };
}

async function isOwn(actor: ProfileActor | OwnerActor, agentId: string): Promise<boolean> {
  return (await agentsOf(actor)).includes(agentId);
}

async function agentsOf(actor: ProfileActor | OwnerActor): Promise<string[]> {
  if (actor.kind === "profile") return [actor.id];
  const where = { ownerId: actor.id };
  const select = { id: true } as const;
  const [profiles, identities] = await Promise.all([
    prisma().profile.findMany({ where, select }),
    prisma().identity.findMany({ where, select }),
  ]);
  return [...new Set([...profiles, ...identities].map(({ id }) => id))];
}

export function viewModeration(row: Moderation): z.output<typeof ModerationWire> {
  return {
    moderation_id: row.id,
    public_id: row.agentId,
    act: row.act as Act["act"],
    subject_id: row.subjectId,
    rule: row.rule,
    reason: row.reason,
    at: iso(row.at),
    appeal:
      row.appeal && row.appealedAt
        ? {
            state: row.appeal,
            reason: row.appealReason ?? "",
            at: iso(row.appealedAt),
            decided_at: iso(row.decidedAt),
            decision: row.decisionReason,
          }
        : null,
  };
}
