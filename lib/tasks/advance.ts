import { type AuditEntry, audit, entriesOf, recordedFor, type WireEvent } from "#lib/db/audit.ts";
import { integer, nullable, text } from "#lib/db/columns.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { numbered } from "#lib/db/named.ts";
import { statement, statements } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf, lightTransaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { STEP_EVENTS, sharedReason, type TaskParties, taskEvent } from "./events.ts";
import { STEPS, type StepName, type TaskState } from "./machine.ts";
import { columnName, sentAs, TASK, type TaskRow } from "./row.ts";

/** The columns that steps set, in addition to the state and the time of the change. */
type Settable =
  | "criteriaResults"
  | "providerId"
  | "result"
  | "resultFiles"
  | "resultUrl"
  | "evidenceHash"
  | "changesReason"
  | "reviewEndsAt"
  | "selectedProviderId"
  | "claimEndsAt"
  | "dismissedIds";

type Change = {
  /** When the step is taken, for steps that set other times by it; by default now. */
  at?: Date;
  set?: Partial<Pick<TaskRow, Settable>>;
  reason?: string | null | undefined;
  data?: Prisma.InputJsonObject;
  /** What the transparency log records of the step; by default that the step was taken. */
  log?: WireEvent["log"];
  /** The event of the step, where it is not for the task's parties. */
  event?: WireEvent;
};

// The only writers of a task's state, apart from its creation.

const change = statements("task.advance", { changed: integer });

/** Someone else has changed the task since the caller saw it. */
class Overtaken extends ApiError {
  constructor() {
    super("state_conflict", "Someone else changed this task just now. Reload it and try again.");
  }
}

/**
 * Whether a step without a lock failed because of someone else's: they changed the task, or continued its chain in the log while the step
 * waited for them, so that it counted one statement too few.
 */
export function isOvertaken(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return error instanceof Overtaken || (code === "23505" && table === "log_statements");
}

/**
 * Takes one step of the machine, and records it, in one statement. The update has the state that the caller saw as its condition, and the
 * row's version if the caller holds no lock, so of two callers who saw the same task only one succeeds.
 * @returns what is different in the task
 * @throws ApiError state_conflict for the other
 */
export async function advance(
  tx: AnyTx,
  ctx: Context,
  task: TaskParties & { state: TaskState; version: number; rowVersion?: string },
  step: StepName,
  changed: Change = {},
): Promise<Pick<TaskRow, "state" | "updatedAt" | "version"> & Partial<Pick<TaskRow, Settable>>> {
  const { at = ctx.clock.now(), set = {} } = changed;
  const { from, to } = STEPS[step];
  if (!(from as readonly TaskState[]).includes(task.state)) throw stateConflict(`This task is ${task.state}.`);
  // The clock of a claim runs until the claim ends or both parties have accepted.
  const clock = isClaimed(task.state) && !isClaimed(to) ? { claimEndsAt: null } : {};
  const changes = { ...clock, ...set, state: to, updatedAt: at };
  const columns = Object.keys(changes) as (keyof typeof changes)[];
  const isUnlocked = task.rowVersion !== undefined;
  const values = {
    task: task.id,
    seen: task.state,
    entries: entriesOf(ctx, [entryOf(ctx, task, step, changed)], at),
    ...(isUnlocked && { rowVersion: task.rowVersion }),
    ...Object.fromEntries(columns.map((name) => [name, sentAs(name, changes[name])])),
  };
  const [row] = await change(`${columns.join("+")}${isUnlocked ? " unlocked" : ""}`, () =>
    numbered(
      Object.keys(values),
      `WITH changed AS (
         UPDATE tasks t SET ${columns.map((name) => `${columnName(name)} = :${name}::${TASK[name].type}`).join(", ")}
         WHERE t.id = :task AND t.state = :seen::task_state ${isUnlocked ? "AND t.xmin = :rowVersion::xid" : ""}
         RETURNING :entries::jsonb AS entries
       ), ${recordedFor("changed")} SELECT count(*)::int AS changed FROM recorded`,
    ),
  ).on(connectionOf(tx), ...Object.values(values));
  if (row?.changed !== 1) throw new Overtaken();
  // A trigger adds one.
  return { ...changes, version: task.version + 1 };
}

const isClaimed = (state: TaskState) => state === "claimed" || state === "proposed";

/** What the audit trail says of a step. */
function entryOf(
  ctx: Context,
  task: TaskParties & { state: TaskState },
  step: StepName,
  { set = {}, reason, data = {}, log = { facts: factsOf(ctx, step, set) }, event }: Change = {},
): AuditEntry {
  const { to } = STEPS[step];
  const entry = {
    action: step,
    subjectKind: "task",
    subjectId: task.id,
    reason,
    data: { ...data, from: task.state, to },
  } as const;
  if (event) return { ...entry, event };
  if (step === "propose" || step === "accept" || step === "decline") return entry;
  const provider = set.providerId ?? task.providerId;
  const shown = {
    ...data,
    ...sharedReason(task, reason),
    ...(step === "leave" || step === "give_up" ? { step } : {}),
    from: task.state,
    state: to,
    ...(provider ? { provider } : {}),
  };
  return { ...entry, event: taskEvent(STEP_EVENTS[step], task, shown, log, set.providerId) };
}

/** Whose step it was is in the statement itself; an administrator may complete a task in the requester's place. */
function factsOf(ctx: Context, step: StepName, set: NonNullable<Change["set"]>): Record<string, unknown> {
  if (step === "claim") return { provider: set.providerId };
  if (step === "leave" || step === "give_up") return { step };
  if (STEPS[step].to !== "completed") return {};
  return { by: ctx.actor.kind === "administrator" ? "administrator" : STEPS[step].by };
}

/** The most tasks in one transaction. */
const BATCH = 1_000;

const expireBatch = statement(
  "task.expire",
  { id: text, requesterId: text, selectedProviderId: nullable(text) },
  `WITH due AS MATERIALIZED (
     SELECT id FROM tasks WHERE state = 'open' AND expires_at <= $1
     ORDER BY expires_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE tasks t SET state = '${STEPS.expire.to}', updated_at = $1 FROM due WHERE t.id = due.id
   RETURNING t.id, t.requester_id AS "requesterId", t.selected_provider_id AS "selectedProviderId"`,
);

/**
 * Records the expiry of open tasks, which readers already see as expired. It is `advance` for many tasks at once, with the same
 * condition on the state and the same audit event.
 * @returns how many tasks expired
 */
export async function expireDueTasks(ctx: Context): Promise<number> {
  let total = 0;
  for (;;) {
    const expired = await lightTransaction(async (tx) => {
      const at = ctx.clock.now();
      const tasks = await expireBatch.on(tx, at);
      const entries = tasks.map((task) => entryOf(ctx, { ...task, state: "open", providerId: null }, "expire"));
      await audit(tx, { ...ctx, clock: { now: () => at } }, ...entries);
      return tasks.length;
    });
    total += expired;
    if (expired < BATCH) return total;
  }
}
