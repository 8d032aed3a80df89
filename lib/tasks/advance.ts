import { type AuditEntry, actorId, recordedFor, recordValues, type WireEvent } from "#lib/db/audit.ts";
import { integer } from "#lib/db/columns.ts";
import type { Prisma } from "#lib/db/generated/client.ts";
import { firstOrigin, newTail, stated, statementParts } from "#lib/db/log-statement.ts";
import { namedStatement, numbered } from "#lib/db/named.ts";
import { statementsOn } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { STEP_EVENTS, sharedReason, type TaskParties, taskEvent } from "./events.ts";
import { STEPS, type StepName, type TaskState } from "./machine.ts";
import { TASK, type TaskRow } from "./row.ts";

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

const change = statementsOn("task.advance", { changed: integer });

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
  { at = ctx.clock.now(), set = {}, reason, data = {}, log, event }: Change = {},
): Promise<Pick<TaskRow, "state" | "updatedAt" | "version"> & Partial<Pick<TaskRow, Settable>>> {
  const { from, to } = STEPS[step];
  if (!(from as readonly TaskState[]).includes(task.state)) throw stateConflict(`This task is ${task.state}.`);
  // The clock of a claim runs until the claim ends or both parties have accepted.
  const clock = isClaimed(task.state) && !isClaimed(to) ? { claimEndsAt: null } : {};
  const changes = { ...clock, ...set, state: to, updatedAt: at };
  const columns = Object.keys(changes) as (keyof typeof changes)[];
  const entry: AuditEntry = {
    action: step,
    subjectKind: "task",
    subjectId: task.id,
    reason,
    data: { ...data, from: task.state, to },
    event: event ?? eventOf(task, step, { set, reason, data, log: log ?? { facts: factsOf(ctx, step, set) } }),
  };
  const hasStatement = entry.event?.log !== undefined;
  const isUnlocked = task.rowVersion !== undefined;
  const values = {
    task: task.id,
    seen: task.state,
    ...(isUnlocked && { rowVersion: task.rowVersion }),
    ...Object.fromEntries(columns.map((name) => [name, sentAs(name, changes[name])])),
    ...recordValues(ctx, entry),
  };
  const [row] = await change(
    `${columns.join("+")}${hasStatement ? "" : " alone"}${isUnlocked ? " unlocked" : ""}`,
    () =>
      numbered(
        Object.keys(values),
        `WITH changed AS (
           UPDATE tasks t SET ${columns.map((name) => `${nameOf(name)} = :${name}::${TASK[name].type}`).join(", ")}
           WHERE t.id = :task AND t.state = :seen::task_state ${isUnlocked ? "AND t.xmin = :rowVersion::xid" : ""} RETURNING t.id
         ), ${recordedFor("changed", hasStatement)} SELECT count(*)::int AS changed FROM recorded`,
      ),
  ).on(connectionOf(tx), ...Object.values(values));
  if (row?.changed !== 1) throw new Overtaken();
  // A trigger adds one.
  return { ...changes, version: task.version + 1 };
}

const isClaimed = (state: TaskState) => state === "claimed" || state === "proposed";

/** The driver would take a list for a PostgreSQL array. */
const sentAs = (column: keyof typeof TASK, value: unknown) =>
  TASK[column].type === "jsonb" && value !== null ? JSON.stringify(value) : value;
const nameOf = (column: keyof typeof TASK) => TASK[column].sql?.replace("t.", "");

function eventOf(
  task: TaskParties & { state: TaskState },
  step: StepName,
  { set, reason, data, log }: Change,
): WireEvent | undefined {
  if (step === "propose" || step === "accept" || step === "decline") return undefined;
  const provider = set?.providerId ?? task.providerId;
  return taskEvent(
    STEP_EVENTS[step],
    task,
    {
      ...data,
      ...sharedReason(task, reason),
      ...(step === "leave" || step === "give_up" ? { step } : {}),
      from: task.state,
      state: STEPS[step].to,
      ...(provider ? { provider } : {}),
    },
    log,
    set?.providerId,
  );
}

/** Whose step it was is in the statement itself; an administrator may complete a task in the requester's place. */
function factsOf(ctx: Context, step: StepName, set: Change["set"]): Record<string, unknown> {
  if (step === "claim") return { provider: set?.providerId };
  if (step === "leave" || step === "give_up") return { step };
  if (STEPS[step].to !== "completed") return {};
  return { by: ctx.actor.kind === "administrator" ? "administrator" : STEPS[step].by };
}

/** The most tasks in one transaction. */
const BATCH = 1_000;

// One statement whatever the size of the batch, so that each connection prepares it once. It gets enough event IDs for a full
// batch and uses the first ones.
const expireBatch = namedStatement(
  "task.expire",
  { expired: integer, stated: integer },
  ["at", "events", "actorKind", "actorId", "requestId", "tails", "before", "after", "firstOrigin"],
  `WITH due AS MATERIALIZED (
     SELECT id FROM tasks WHERE state = 'open' AND expires_at <= :at
     ORDER BY expires_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
   ), expired AS (
     UPDATE tasks SET state = '${STEPS.expire.to}', updated_at = :at FROM due WHERE tasks.id = due.id
     RETURNING tasks.id, tasks.requester_id, tasks.selected_provider_id
   ), recorded AS (
     INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data, request_id,
       type, task_id, recipients, event_data)
     SELECT event.id, :at, :actorKind, :actorId, 'expire', 'task', task.id, '{"from":"open","to":"${STEPS.expire.to}"}', :requestId,
       '${STEP_EVENTS.expire}', task.id, array_remove(ARRAY[task.requester_id, task.selected_provider_id], NULL),
       '{"from":"open","state":"${STEPS.expire.to}"}'
     FROM (SELECT *, row_number() OVER () AS place FROM expired) task
       JOIN unnest(:events::text[]) WITH ORDINALITY AS event (id, place) USING (place)
     RETURNING id, seq, task_id, type
   ), ${stated(`(
     SELECT seq, task_id AS chain, type AS event, :before || to_json(task_id)::text || :after AS head, tail, NULL AS text_salt, :firstOrigin AS first_origin
     FROM recorded JOIN unnest(:events::text[], :tails::text[]) AS ending (id, tail) USING (id)
   )`)}
   SELECT (SELECT count(*)::int FROM recorded) AS expired, (SELECT count(*)::int FROM stated) AS stated`,
);

/**
 * Records the expiry of open tasks, which readers already see as expired. It is `advance` for many tasks at once, with the same
 * condition on the state and the same audit event.
 * @returns how many tasks expired
 */
export async function expireDueTasks(ctx: Context): Promise<number> {
  let total = 0;
  for (;;) {
    const events = Array.from({ length: BATCH }, () => newId("evt"));
    const actor = { kind: ctx.actor.kind, id: actorId(ctx) };
    const at = ctx.clock.now();
    // The statements differ in their chain and their end.
    const about = { type: STEP_EVENTS.expire, at, chain: "" };
    const [before, after] = statementParts(actor, { facts: {} }, about).head.split('""');
    const [batch] = await expireBatch({
      ...{ at, events, actorKind: actor.kind, actorId: actor.id, requestId: ctx.requestId },
      ...{ tails: events.map(newTail), before, after, firstOrigin: firstOrigin() },
    });
    const done = batch?.expired ?? 0;
    total += done;
    if (done < BATCH) return total;
  }
}
