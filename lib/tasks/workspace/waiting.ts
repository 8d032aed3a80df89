import * as db from "#lib/db/columns.ts";
import { firstRows } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { findActors } from "#lib/identity/read.ts";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { availableActions, awaitedOf } from "../actions.ts";
import { seenAt } from "../clocks.ts";
import { effectiveState } from "../machine.ts";
import { LISTED_TASK, selectTasks } from "../row.ts";
import type { TaskWire } from "../schema.ts";
import type { AwaitedAction } from "../turn.ts";
import { taskView } from "../view.ts";
import { isParty } from "../visibility.ts";
import { MOST_WAITING, type WaitingWire } from "./schema.ts";

/** Tasks under way that are looked at for each role, those that were posted first. */
const MOST_LOOKED_AT = 500;

const WAITING = {
  ...LISTED_TASK,
  dueAt: db.nullable(db.text).from("c.terms ->> 'due_at'"),
};
type WaitingRow = db.RowOf<typeof WAITING>;

const UNDER_WAY = "t.state > 'open' AND t.state < 'completed'";
/** What may wait for this identity: its ID in `$1` or a column; the time in `$2`; the most of each role in `$3`. */
function candidatesOf(id: string): string {
  const first = (condition: string) =>
    `(${firstRows(`SELECT * FROM tasks t WHERE ${condition} ORDER BY t.seq`, "$3")})`;
  return [
    first(`t.requester_id = ${id} AND ${UNDER_WAY}`),
    first(`t.provider_id = ${id} AND ${UNDER_WAY}`),
    first(`t.selected_provider_id = ${id} AND t.state = 'open' AND t.expires_at > $2`),
  ].join(" UNION ALL ");
}

const candidates = statement("task.waiting", WAITING, selectTasks(`(${candidatesOf("$1")}) t`, "", WAITING));

const { brief, summary, result, changesReason, criteriaResults, ...BRIEFLY } = WAITING;
/** In place of the texts, which nothing here looks at. */
const NO_TEXTS = { brief: "", summary: "", result: null, changesReason: null, criteriaResults: null };
const NEEDED = { ...BRIEFLY, agentId: db.text.from("mine.id") };

const candidatesOfAll = statement(
  "task.waiting_all",
  NEEDED,
  selectTasks(`unnest($1::text[]) AS mine (id) CROSS JOIN LATERAL (${candidatesOf("mine.id")}) t`, "", NEEDED),
);

/** Until when the task waits. Pure. */
function deadlineOf(task: WaitingRow, action: AwaitedAction): string | null {
  if (action === "claim") return iso(task.expiresAt);
  if (action === "propose" || action === "accept") return iso(task.claimEndsAt);
  if (action === "start" || action === "submit") return task.dueAt;
  return action === "complete" ? iso(task.reviewEndsAt) : null;
}

type Waiting<Row> = { row: Row; action: AwaitedAction; deadline: string | null };

/** Those of the candidates that wait, earliest deadline first, then those that have waited longest. */
function waitingAmong<Row extends WaitingRow>(rows: Row[], idOf: (row: Row) => string, now: Date): Waiting<Row>[] {
  const seen = rows.map((row) => seenAt(row, now)).filter((row) => isParty(row, idOf(row)));
  const waiting = seen.flatMap((row): Waiting<Row>[] => {
    const action = awaitedOf(row, idOf(row), now);
    return action ? [{ row, action, deadline: deadlineOf(row, action) }] : [];
  });
  // Times in this form sort as text.
  const LAST = "9";
  return waiting.sort(
    (one, other) =>
      (one.deadline ?? LAST).localeCompare(other.deadline ?? LAST) ||
      one.row.updatedAt.getTime() - other.row.updatedAt.getTime(),
  );
}

/**
 * The tasks that wait for this identity, earliest deadline first, then those that have waited longest. Reads at most 500 tasks under
 * way in each role.
 */
export async function waitingFor(actor: ServiceActor, now: Date): Promise<WaitingWire> {
  const waiting = waitingAmong(await candidates(actor.id, now, MOST_LOOKED_AT), () => actor.id, now);
  return {
    waiting: waiting.slice(0, MOST_WAITING).map(({ row, action, deadline }) => ({
      action,
      deadline,
      task: taskView(row, actor, now),
    })),
    more: waiting.length > MOST_WAITING,
  };
}

export const readWaiting = (ctx: ServiceContext): Promise<WaitingWire> => waitingFor(ctx.actor, ctx.clock.now());

/** Candidates that are read for all agents of an owner, in each role; an agent gets its share. */
const MOST_OF_ALL = 3_000;

/** What a list of several agents' tasks shows of one. */
type NeededTask = {
  agentId: string;
  action: AwaitedAction;
  deadline: string | null;
  task: Pick<TaskWire, "task_id" | "title" | "state" | "disputed" | "available_actions">;
};

/**
 * The tasks that wait for any of these identities, at most 100, in the same order. Two statements whatever their number, and no texts of
 * tasks: an owner may have 100 agents.
 */
export async function waitingForAll(ids: string[], now: Date): Promise<NeededTask[]> {
  if (ids.length === 0) return [];
  const found = await candidatesOfAll(ids, now, Math.min(MOST_LOOKED_AT, Math.floor(MOST_OF_ALL / ids.length)));
  const rows = found.map((row) => ({ ...row, ...NO_TEXTS }));
  const waiting = waitingAmong(rows, ({ agentId }) => agentId, now).slice(0, MOST_WAITING);
  const actors = await findActors([...new Set(waiting.map(({ row }) => row.agentId))]);
  return waiting.flatMap(({ row, action, deadline }) => {
    const actor = actors.get(row.agentId);
    if (!actor) return [];
    const { id: task_id, title } = row;
    const task = {
      task_id,
      title,
      state: effectiveState(row, now),
      ...(row.isDisputed ? { disputed: true as const } : {}),
      available_actions: availableActions(row, actor, now),
    };
    return [{ agentId: row.agentId, action, deadline, task }];
  });
}
