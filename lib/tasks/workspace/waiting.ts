import * as db from "#lib/db/columns.ts";
import { firstRows } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { needsFunding } from "../actions.ts";
import { statementsLeft } from "../disputes/parties.ts";
import { effectiveState } from "../machine.ts";
import { selectTasks, TASK } from "../row.ts";
import { taskView } from "../view.ts";
import { type AwaitedAction, MOST_WAITING, type WaitingWire } from "./schema.ts";

/** Tasks under way that are looked at for each role, those that were posted first. */
const MOST_LOOKED_AT = 500;

const WAITING = {
  ...TASK,
  dueAt: db.nullable(db.text).from("c.terms ->> 'due_at'"),
  disputeOpenedBy: db.nullable(db.text).from("d.opened_by"),
};
export type WaitingRow = db.RowOf<typeof WAITING>;

const UNDER_WAY = "t.state > 'open' AND t.state < 'completed'";
const under = (role: "requester" | "provider") =>
  `(${firstRows(`SELECT * FROM tasks t WHERE t.${role}_id = $1 AND ${UNDER_WAY} ORDER BY t.seq`, "$3")})`;
const OFFERED = `(${firstRows(
  "SELECT * FROM tasks t WHERE t.selected_provider_id = $1 AND t.state = 'open' AND t.expires_at > $2 ORDER BY t.seq",
  "$3",
)})`;

const candidates = statement(
  "task.waiting",
  WAITING,
  selectTasks(`(${under("requester")} UNION ALL ${under("provider")} UNION ALL ${OFFERED}) t`, "", WAITING),
);

/** What the task waits for this identity to do; undefined while it waits for someone else. Pure. */
export function awaitedAction(task: WaitingRow, publicId: string, now: Date): AwaitedAction | undefined {
  if (task.heldAt) return undefined;
  const isRequester = publicId === task.requesterId;
  const isProvider = publicId === task.providerId;
  const state = effectiveState(task, now);
  if (task.disputeId && task.disputeOpenedBy !== publicId && hasSaidNothing(task, publicId)) return "dispute_statement";
  switch (state) {
    case "open":
      return publicId === task.selectedProviderId ? "claim" : undefined;
    case "claimed":
      return isRequester ? "propose" : undefined;
    case "proposed":
      return (isRequester && !task.requesterAcceptedAt) || (isProvider && !task.providerAcceptedAt)
        ? "accept"
        : undefined;
    case "accepted":
      if (!needsFunding(task)) return isProvider ? "start" : undefined;
      return isRequester && task.funding !== "pending" ? "fund" : undefined;
    case "in_progress":
      return isProvider ? "submit" : undefined;
    case "submitted":
      return isRequester && !task.disputeId ? "complete" : undefined;
    default:
      return undefined;
  }
}

function hasSaidNothing(task: WaitingRow, publicId: string): boolean {
  const said = publicId === task.requesterId ? task.requesterStatements : task.providerStatements;
  return statementsLeft(task, publicId) > 0 && said === 0;
}

/** Until when the task waits. Pure. */
export function deadlineOf(task: WaitingRow, action: AwaitedAction): string | null {
  if (action === "claim") return iso(task.expiresAt);
  if (action === "start" || action === "submit") return task.dueAt;
  return action === "complete" ? iso(task.reviewEndsAt) : null;
}

/**
 * The tasks that wait for this identity, earliest deadline first, then those that have waited longest. Reads at most 500 tasks under
 * way in each role.
 */
export async function waitingFor(actor: ServiceActor, now: Date): Promise<WaitingWire> {
  const rows = await candidates(actor.id, now, MOST_LOOKED_AT);
  const waiting = rows.flatMap((row) => {
    const action = awaitedAction(row, actor.id, now);
    return action ? [{ row, action, deadline: deadlineOf(row, action) }] : [];
  });
  // Times in this form sort as text.
  const LAST = "9";
  waiting.sort(
    (one, other) =>
      (one.deadline ?? LAST).localeCompare(other.deadline ?? LAST) ||
      one.row.updatedAt.getTime() - other.row.updatedAt.getTime(),
  );
  return {
    waiting: waiting.slice(0, MOST_WAITING).map(({ row, action, deadline }) => ({
      ...{ action, deadline, task: taskView(row, actor, now) },
    })),
    more: waiting.length > MOST_WAITING,
  };
}

export const readWaiting = (ctx: ServiceContext): Promise<WaitingWire> => waitingFor(ctx.actor, ctx.clock.now());
