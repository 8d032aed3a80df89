import type { z } from "zod";
import { batched } from "#lib/db/batch.ts";
import * as db from "#lib/db/columns.ts";
import { END, firstRows } from "#lib/db/list.ts";
import { Conditions, statement, statements } from "#lib/db/statement.ts";
import type { Actor } from "#lib/kernel/actor.ts";
import type { PublicContext, ServiceContext } from "#lib/kernel/context.ts";
import { decodeCursor, page } from "#lib/kernel/cursor.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { LimitName } from "#lib/kernel/limits.ts";
import { seenAt } from "./clocks.ts";
import {
  hasLapsed,
  LISTED_TASK,
  OFFERED_TASK,
  OWN_MESSAGES,
  SUMMARY,
  selectOffered,
  selectSummaries,
  selectTasks,
  TASK,
  type TaskRow,
} from "./row.ts";
import type { InboxInput, ListTasksInput, MyTasksInput, RECORDED_STEPS, TaskStateField, TaskWire } from "./schema.ts";
import { summaryView, taskView } from "./view.ts";
import { sightOf } from "./visibility.ts";

/** The requester's newest listed tasks, which its record counts. */
const MOST_COUNTED = 200;

const SHOWN_TASK = {
  ...TASK,
  requesterRecord: db.jsonb<NonNullable<TaskWire["requester_record"]>>().from(`(
    SELECT jsonb_build_object('tasks_posted', count(*),
      'agreed', count(*) FILTER (WHERE m.state IN ('accepted', 'in_progress', 'submitted', 'completed')
        OR m.state = 'cancelled' AND EXISTS (SELECT FROM settlements x WHERE x.task_id = m.id)),
      'completed', count(*) FILTER (WHERE m.state = 'completed'),
      'lapsed_as_requester', (SELECT count(*) FROM audit_events e WHERE e.actor_kind = 'system' AND e.type = 'task.lapsed'
        AND e.subject_id = ANY (array_agg(m.id)) AND e.data ->> 'awaited' = 'requester' AND NOT e.data ? 'stopped'))
    FROM (SELECT id, state FROM tasks WHERE requester_id = t.requester_id AND visibility = 'listed'
      ORDER BY seq DESC LIMIT ${MOST_COUNTED}) m)`),
};
const shownTask = batched("task.shown", SHOWN_TASK, ["text"], selectTasks("tasks t", "WHERE t.id = $1", SHOWN_TASK));

/** The task as the caller may read it. @throws ApiError not_found */
export async function showTask(ctx: PublicContext, input: { task_id: string; history?: "1" | undefined }) {
  const now = ctx.clock.now();
  const [row] = await shownTask(input.task_id);
  const task = row && seenAt(row, now);
  if (!task || sightOf(task, ctx.actor, now) === "hidden") throw notFound();
  const shown = { task: { ...taskView(task, ctx.actor, now), requester_record: task.requesterRecord } };
  return input.history ? { ...shown, history: stepsFor(ctx.actor, task, await taskHistory(task.id)) } : shown;
}

type StateFilter = z.output<typeof ListTasksInput>["state"];

/** Filters states as readers see them: a claim that has ended is over, and an open task past its expiry time is expired. */
function addState(conditions: Conditions, state: StateFilter, now: Date): void {
  if (!state) return;
  const at = conditions.value(now);
  const open = `(t.state = 'open' OR ${hasLapsed(at)})`;
  if (state === "open") conditions.add("open", `${open} AND t.expires_at > ${at}`);
  else if (state === "expired") conditions.add("expired", `(t.state = 'expired' OR ${open} AND t.expires_at <= ${at})`);
  else conditions.add("state", `t.state = ${conditions.value(state)}::task_state AND NOT ${hasLapsed(at)}`);
}

// A word that many tasks contain is found among the newest tasks; only a rarer one needs the index over all of them. The answer is
// exact in both cases, because the newest tasks are enough only if they fill the page.
const WINDOW = 2_000;

/**
 * The tasks of a list by the states that readers see; of those recorded as open or expired, at most the newest `most`, if given. Nearly all
 * are recorded as such, and those that a sweep has not reached are found by their times. One condition with OR would read the whole list
 * where both are rare.
 */
function tasksIn(conditions: Conditions, state: StateFilter, now: Date, most?: string): string {
  if (state !== "open" && state !== "expired") {
    addState(conditions, state, now);
    return `SELECT * FROM tasks t ${conditions.where}`;
  }
  const at = conditions.value(now);
  const due = (condition: string, time: string) =>
    `(SELECT * FROM tasks t WHERE ${condition} ORDER BY ${time} DESC LIMIT ${MOST_UNSWEPT})`;
  const unswept = {
    open: due(`${hasLapsed(at)} AND t.expires_at > ${at}`, "t.claim_ends_at"),
    expired: `${due(`t.state = 'open' AND t.expires_at <= ${at}`, "t.expires_at")}
      UNION ALL ${due(`${hasLapsed(at)} AND t.expires_at <= ${at}`, "t.claim_ends_at")}`,
  }[state];
  const others = conditions.where;
  conditions.add(state, state === "open" ? `t.state = 'open' AND t.expires_at > ${at}` : "t.state = 'expired'");
  const newest = most ? `ORDER BY t.seq DESC LIMIT ${most}` : "";
  return `(SELECT * FROM tasks t ${conditions.where} ${newest}) UNION ALL SELECT * FROM (${unswept}) t ${others}`;
}

// The sweeps run every minute.
const MOST_UNSWEPT = 10_000;

const listed = statements("task.list", SUMMARY);

/** Summaries of listed tasks, newest first. */
export async function listTasks(ctx: PublicContext, input: z.output<typeof ListTasksInput>) {
  const now = ctx.clock.now();
  const read = (source: "page" | "window" | "all") => {
    const conditions = new Conditions();
    const limit = conditions.value(input.limit + 1);
    const most = { page: limit, window: String(WINDOW), all: undefined }[source];
    conditions.add("listed", "t.visibility = 'listed'");
    if (input.skill) conditions.add("skill", `t.skill = ${conditions.value(input.skill)}`);
    if (input.payment_mode)
      conditions.add("mode", `t.payment_mode = ${conditions.value(input.payment_mode)}::payment_mode`);
    if (input.cursor) conditions.add("before", `t.seq < ${conditions.value(input.cursor)}`);
    const all = `SELECT * FROM (${tasksIn(conditions, input.state, now, most)}) t`;
    const query = input.q ? conditions.value(input.q) : undefined;
    const newest = (select: string) => firstRows(`${select} ORDER BY t.seq DESC`, limit);
    // In its own SELECT, the query is parsed once and not for each row.
    const found = `t.search @@ (SELECT plainto_tsquery('english', ${query}))`;
    const source_ = {
      page: `(${newest(all)}) t`,
      window: `(${newest(`SELECT * FROM (${all} ORDER BY t.seq DESC LIMIT ${WINDOW}) t WHERE ${found}`)}) t`,
      all: `(WITH hits AS MATERIALIZED (SELECT t.seq FROM (${all}) t WHERE ${found}), newest AS (${newest("SELECT t.seq FROM hits t")})
        SELECT t.* FROM newest JOIN tasks t ON t.seq = newest.seq) t`,
    }[source];
    return listed(`${conditions.variant}:${source}`, () => selectSummaries(source_, "ORDER BY t.seq DESC"))(
      ...conditions.values,
    );
  };
  let rows = await read(input.q ? "window" : "page");
  if (input.q && rows.length <= input.limit) rows = await read("all");
  const { rows: shown, nextCursor } = page(rows, input);
  return { tasks: shown.map((task) => summaryView(task, now)), next_cursor: nextCursor };
}

/**
 * The newest tasks of a party below a `seq`, as a relation. It is bounded and ordered by both columns of the index: with `seq`
 * alone, the planner reads everybody's tasks if one party has most of them.
 */
function tasksOf(
  role: "requester" | "provider" | "selected_provider",
  at: { party: string; below: string; limit: string },
  conditions: string[] = [],
): string {
  const column = `t.${role}_id`;
  const reach = `(${column}, t.seq) < (${at.party}, ${at.below}) AND ${column} >= ${at.party}`;
  const where = [reach, ...conditions].join(" AND ");
  return `(${firstRows(`SELECT * FROM tasks t WHERE ${where} ORDER BY ${column} DESC, t.seq DESC`, at.limit)})`;
}

const MINE = { ...LISTED_TASK, ...OWN_MESSAGES };
const mine = statements("task.mine", MINE);

// The stored answer of a request names its task. Once that answer is forgotten, the row names it instead.
const made = statement(
  "task.made",
  MINE,
  selectTasks(
    "tasks t",
    `WHERE t.id IN (
       SELECT coalesce(object_id, body::json -> 'task' ->> 'task_id') FROM idempotency_keys
       WHERE actor_id = $1 AND operation IN ('jobs/create', 'jobs/order') AND key = $2
     ) ORDER BY t.seq DESC`,
    MINE,
  ),
);

/** The tasks that the caller requested or provides, newest first. */
export async function myTasks(ctx: ServiceContext, input: z.output<typeof MyTasksInput>) {
  const now = ctx.clock.now();
  if (input.client_request_id !== undefined) {
    const rows = await made(ctx.actor.id, input.client_request_id);
    return { tasks: rows.map((task) => taskView(task, ctx.actor, now)), next_cursor: null };
  }
  const conditions = new Conditions();
  const at = {
    // The first value, as OWN_MESSAGES expects.
    party: conditions.value(ctx.actor.id),
    below: conditions.value(input.cursor ?? END),
    limit: conditions.value(input.limit + 1),
  };
  addState(conditions, input.state, now);
  const ended = input.role === "requester" ? [] : [`NOT ${hasLapsed(conditions.value(now))}`];
  const as = (role: "requester" | "provider") =>
    tasksOf(role, at, [...conditions.parts, ...(role === "provider" ? ended : [])]);
  const source = input.role ? as(input.role) : `(${as("requester")} UNION ALL ${as("provider")})`;
  const rows = await mine(`${input.role ?? "any"}:${conditions.variant}`, () =>
    selectTasks(`${source} t`, `ORDER BY t.seq DESC LIMIT ${at.limit}`, MINE),
  )(...conditions.values);
  const { rows: shown, nextCursor } = page(rows, input);
  return { tasks: shown.map((task) => taskView(task, ctx.actor, now)), next_cursor: nextCursor };
}

const inbox = batched("task.inbox", OFFERED_TASK, ["text", "bigint", "timestamptz"], inboxQuery());

/** Open tasks for which the caller is the selected provider, those included whose last claim has ended and was not recorded yet. */
function inboxQuery(): string {
  const open = ["t.state = 'open'", "t.expires_at > $3"];
  const at = { party: "$1", below: "$2", limit: "$4" };
  const lapsed = `(SELECT * FROM tasks t WHERE t.selected_provider_id = $1 AND t.seq < $2 AND t.expires_at > $3 AND ${hasLapsed("$3")}
    ORDER BY t.seq DESC LIMIT $4)`;
  const entries = `(SELECT * FROM (${tasksOf("selected_provider", at, open)} UNION ALL ${lapsed}) t ORDER BY t.seq DESC LIMIT $4)`;
  return selectOffered(`${entries} t`, "ORDER BY t.seq DESC");
}

// An answer with `limit=0` gives the place just above its newest task.
const reaches = statement(
  "task.reaches",
  { isReached: db.boolean },
  `SELECT EXISTS (SELECT 1 FROM tasks WHERE seq >= $1::bigint - 1) AS "isReached"`,
);

/** A call without a cursor refreshes the inbox; so does a made-up one above every task, which leads to the first page as well. */
export async function inboxLimit(query: URLSearchParams): Promise<LimitName | undefined> {
  const given = query.get("cursor");
  if (given === null) return "inbox_refresh";
  const seq = decodeCursor(given);
  if (seq === undefined) return undefined;
  const [found] = await reaches(seq);
  return found?.isReached ? undefined : "inbox_refresh";
}

type InboxQuery = z.output<typeof InboxInput>;

/** Open, unexpired tasks for which the caller is the selected provider, newest first. An entry gives no permission. */
export async function readInbox(ctx: ServiceContext, input: InboxQuery) {
  const now = ctx.clock.now();
  const rows = await inbox(ctx.actor.id, input.cursor ?? END, now, input.limit + 1);
  const { rows: shown, nextCursor } = page(rows, input);
  const { id, name, domainStatus } = ctx.actor;
  const caller = { selectedProviderId: id, selectedProviderName: name, selectedProviderDomain: domainStatus };
  return {
    tasks: shown.map((task) => taskView(Object.assign(task, caller), ctx.actor, now)),
    next_cursor: nextCursor,
  };
}

const listedAs = (role: "requester" | "provider", ...conditions: string[]) =>
  tasksOf(role, { party: "$1", below: END, limit: "$2" }, ["t.visibility = 'listed'", ...conditions]);

const recent = statement(
  "task.recent",
  SUMMARY,
  selectSummaries(
    `(${listedAs("requester")} UNION ALL ${listedAs("provider", `NOT ${hasLapsed("$3")}`)}) t`,
    "ORDER BY t.seq DESC LIMIT $2",
  ),
);

/** The newest listed tasks that this identity requested or provides, as visitors see them. */
export async function recentTasks(ctx: PublicContext, publicId: string, limit: number) {
  const now = ctx.clock.now();
  return (await recent(publicId, limit, now)).map((task) => summaryView(task, now));
}

const EVENT = {
  action: db.text,
  at: db.timestamp,
  actorId: db.text,
  actorName: db.nullable(db.text),
  from: db.nullable(db.text),
  to: db.nullable(db.text),
  reason: db.nullable(db.text),
};
export type TaskEvent = db.RowOf<typeof EVENT>;

const history = statement(
  "task.history",
  EVENT,
  `SELECT e.action, e.at, e.actor_id AS "actorId", i.name AS "actorName", e.data ->> 'from' AS "from", e.data ->> 'to' AS "to", e.reason
   FROM audit_events e LEFT JOIN identities i ON i.id = e.actor_id
   WHERE e.subject_id = $1 AND e.data ? 'to' ORDER BY e.seq`,
);

/** Reasons are shown to the requester, and to the provider from its own claim on. */
function stepsFor(actor: Actor, task: TaskRow, events: readonly TaskEvent[]) {
  const isRequester = actor.kind === "service" && actor.id === task.requesterId;
  const isProvider = actor.kind === "service" && actor.id === task.providerId;
  const from = isRequester ? 0 : isProvider ? events.findLastIndex(({ action }) => action === "claim") : events.length;
  return events.map(({ action, at, actorId, actorName, to, reason }, index) => ({
    action: action as (typeof RECORDED_STEPS)[number],
    state: to as z.output<typeof TaskStateField>,
    at: at.toISOString(),
    by: actorName === null ? null : { public_id: actorId, name: actorName },
    ...(index >= from ? { reason } : {}),
  }));
}

/** The steps that a task has taken, oldest first. The caller has already checked that the task is visible. */
export function taskHistory(taskId: string): Promise<TaskEvent[]> {
  return history(taskId);
}
