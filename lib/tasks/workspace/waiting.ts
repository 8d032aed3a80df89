import * as db from "#lib/db/columns.ts";
import { firstRows } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { needsFunding } from "../actions.ts";
import { STATEMENTS_PER_SIDE, statementsLeft } from "../disputes/parties.ts";
import { effectiveState } from "../machine.ts";
import { selectTasks, TASK } from "../row.ts";
import { type AwaitedAction, awaitedAction, type Turn } from "../turn.ts";
import { taskView } from "../view.ts";
import { MOST_WAITING, type WaitingWire } from "./schema.ts";

/** Tasks under way that are looked at for each role, those that were posted first. */
const MOST_LOOKED_AT = 500;

const WAITING = {
  ...TASK,
  dueAt: db.nullable(db.text).from("c.terms ->> 'due_at'"),
  disputeOpenedBy: db.nullable(db.text).from("d.opened_by"),
};
type WaitingRow = db.RowOf<typeof WAITING>;

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

/** The part that the caller has in each of these tasks. */
function turnOf(task: WaitingRow, publicId: string, now: Date): Turn {
  const role = publicId === task.requesterId ? "requester" : "provider";
  return {
    state: effectiveState(task, now),
    role,
    hasAccepted: (role === "requester" ? task.requesterAcceptedAt : task.providerAcceptedAt) !== null,
    funding: !needsFunding(task) ? "not_needed" : task.funding === "pending" ? "pending" : "needed",
    isHeld: task.heldAt !== null,
    isDisputed: task.disputeId !== null,
    owesStatement: task.disputeId !== null && task.disputeOpenedBy !== publicId && hasSaidNothing(task, publicId),
  };
}

function hasSaidNothing(task: WaitingRow, publicId: string): boolean {
  return statementsLeft(task, publicId) === STATEMENTS_PER_SIDE;
}

/** Until when the task waits. Pure. */
function deadlineOf(task: WaitingRow, action: AwaitedAction): string | null {
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
    const action = awaitedAction(turnOf(row, actor.id, now));
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
