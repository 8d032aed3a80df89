import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { firstRows } from "#lib/db/list.ts";
import { Conditions, statement, statements } from "#lib/db/statement.ts";
import { showAgent } from "#lib/identity/read.ts";
import type { Context } from "#lib/kernel/context.ts";
import { page } from "#lib/kernel/cursor.ts";
import { SUMMARY, selectSummaries } from "#lib/tasks/row.ts";
import { summaryView } from "#lib/tasks/view.ts";
import { toBase64 } from "#sdk/bytes.ts";
import { parseCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { readLogs } from "../log/read.ts";
import { type FiguresWire, MOST_COUNTED, type RecordTasksInput, type TrackRecordWire } from "./schema.ts";

const ROLES = ["provider", "requester"] as const;
const MODES = ["TEST", "LIVE"] as const;
type Role = (typeof ROLES)[number];
type Mode = (typeof MODES)[number];

/** What counts: the rows that rest on leaves of this log below this one. */
type Pin = { tree: number; below: string; checkpoint: TrackRecordWire["checkpoint"] };

const EVERYTHING = String(2n ** 63n - 1n);

async function readPin(): Promise<Pin> {
  const [log] = await readLogs(1);
  const parsed = log?.signed && parseCheckpoint(log.signed.note);
  if (!log || !parsed) return { tree: log?.id ?? 1, below: EVERYTHING, checkpoint: null };
  const { size, root } = parsed;
  return { tree: log.id, below: String(size), checkpoint: { origin: log.origin, size, root_hash: toBase64(root) } };
}

const other = (role: Role) => (role === "provider" ? "requester" : "provider");

// Each role and mode reads a bounded part of its own index, whatever the size of the table.
const newestOf = (role: Role) => `(
    SELECT *, ${other(role)}_id AS counterparty FROM settled_tasks
    WHERE g.role = '${role}' AND ${role}_id = $1 AND payment_mode = g.mode AND tree = $2 AND leaf < $3
    ORDER BY seq DESC LIMIT ${MOST_COUNTED}
  )`;

/** How a claim or its work ends without a result; names of figures and of what the rows say. */
const UNFINISHED = [
  ["lapsed", "lapsed"],
  ["dismissed", "dismissed"],
  ["leftOverdue", "left_overdue"],
  ["givenUp", "given_up"],
] as const;

const figures = statement(
  "track_record.figures",
  {
    role: db.oneOf(...ROLES),
    mode: db.paymentMode,
    settled: db.integer,
    completed: db.integer,
    open: db.integer,
    forProvider: db.integer,
    forRequester: db.integer,
    split: db.integer,
    submitMs: db.nullable(db.bigint),
    counterparties: db.integer,
    lapsed: db.integer,
    dismissed: db.integer,
    leftOverdue: db.integer,
    givenUp: db.integer,
  },
  `SELECT g.role, g.mode, count(t.*)::int AS settled, count(*) FILTER (WHERE t.completed)::int AS completed,
     coalesce(sum(t.disputes_open), 0)::int AS open, coalesce(sum(t.disputes_provider), 0)::int AS "forProvider",
     coalesce(sum(t.disputes_requester), 0)::int AS "forRequester", coalesce(sum(t.disputes_split), 0)::int AS split,
     floor(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.submit_ms))::bigint AS "submitMs",
     count(DISTINCT t.counterparty)::int AS counterparties, u.*
   FROM (VALUES ('provider', 'TEST'::payment_mode), ('provider', 'LIVE'), ('requester', 'TEST'), ('requester', 'LIVE')) AS g (role, mode)
     LEFT JOIN LATERAL (${newestOf("provider")} UNION ALL ${newestOf("requester")}) t ON true
     CROSS JOIN LATERAL (
       SELECT ${UNFINISHED.map(([name, ending]) => `count(*) FILTER (WHERE ending = '${ending}')::int AS "${name}"`).join(", ")}
       FROM (
         SELECT ending FROM unfinished_claims
         WHERE identity_id = $1 AND role = g.role AND payment_mode = g.mode AND tree = $2 AND leaf < $3
         ORDER BY seq DESC LIMIT ${MOST_COUNTED}
       ) newest
     ) u
   GROUP BY g.role, g.mode, ${UNFINISHED.map(([name]) => `u."${name}"`).join(", ")}`,
);

/**
 * The facts of an agent's settled, listed tasks, as far as the log's newest checkpoint covers them.
 * @throws ApiError not_found where the agent's public profile is not found
 */
export async function readTrackRecord(
  ctx: Context,
  input: { public_id: string },
): Promise<{ record: TrackRecordWire }> {
  await showAgent(ctx, input);
  return { record: await trackRecordOf(input.public_id) };
}

/** The same for an agent that is known to be visible. */
export async function trackRecordOf(publicId: string): Promise<TrackRecordWire> {
  const pin = await readPin();
  const rows = await figures(publicId, pin.tree, pin.below);
  const of = (role: Role, mode: Mode): FiguresWire => {
    const row = rows.find((each) => each.role === role && each.mode === mode);
    if (!row) throw new Error(`no figures for ${role} in ${mode}`);
    const { settled, completed, open, forProvider, forRequester, split, submitMs, counterparties } = row;
    return {
      settled,
      completed,
      cancelled: settled - completed,
      disputes: {
        total: open + forProvider + forRequester + split,
        resolved_for_provider: forProvider,
        resolved_for_requester: forRequester,
        split,
        open,
      },
      median_seconds_to_submit: submitMs === null ? null : Math.floor(Number(submitMs) / 1_000),
      counterparties,
      lapsed: row.lapsed,
      dismissed: row.dismissed,
      left_overdue: row.leftOverdue,
      given_up: row.givenUp,
      tasks: `/api/v1/agents/record_tasks.php?public_id=${publicId}&role=${role}&payment_mode=${mode}`,
    };
  };
  const inRole = (role: Role) => ({ TEST: of(role, "TEST"), LIVE: of(role, "LIVE") });
  return {
    public_id: publicId,
    provider: inRole("provider"),
    requester: inRole("requester"),
    checkpoint: pin.checkpoint,
  };
}

const WITH_DISPUTE = {
  any: "s.disputes_open + s.disputes_provider + s.disputes_requester + s.disputes_split > 0",
  provider: "s.disputes_provider > 0",
  requester: "s.disputes_requester > 0",
  split: "s.disputes_split > 0",
  open: "s.disputes_open > 0",
} as const;

const listed = statements("track_record.tasks", SUMMARY);

type TasksQuery = z.output<typeof RecordTasksInput>;

function settledOf(conditions: Conditions, { public_id: id, role, outcome, dispute }: TasksQuery): string {
  conditions.add(role, `s.${role}_id = ${conditions.value(id)}`);
  if (outcome) conditions.add(outcome, `s.completed = ${outcome === "completed"}`);
  if (dispute) conditions.add(`dispute_${dispute}`, WITH_DISPUTE[dispute]);
  return "SELECT s.task_id FROM settled_tasks s";
}

/** A task counts once in the list, however often it ended like this. */
function unfinishedOf(conditions: Conditions, { public_id: id, role, ending }: TasksQuery): string {
  conditions.add("unfinished", `s.identity_id = ${conditions.value(id)} AND s.role = ${conditions.value(role)}`);
  conditions.add("ending", `s.ending = ${conditions.value(ending)}`);
  return "SELECT DISTINCT ON (s.seq) s.task_id FROM unfinished_claims s";
}

/**
 * The tasks behind the figures of a track record, newest first.
 * @throws ApiError not_found where the agent's public profile is not found
 */
export async function listRecordTasks(ctx: Context, input: TasksQuery) {
  await showAgent(ctx, input);
  const pin = await readPin();
  const conditions = new Conditions();
  conditions.add("mode", `s.payment_mode = ${conditions.value(input.payment_mode)}::payment_mode`);
  conditions.add("pin", `s.tree = ${conditions.value(pin.tree)} AND s.leaf < ${conditions.value(pin.below)}`);
  const source = input.ending ? unfinishedOf(conditions, input) : settledOf(conditions, input);
  if (input.cursor) conditions.add("before", `s.seq < ${conditions.value(input.cursor)}`);
  const newest = firstRows(`${source} ${conditions.where} ORDER BY s.seq DESC`, conditions.value(input.limit + 1));
  const found =
    input.limit === 0
      ? []
      : await listed(conditions.variant, () =>
          selectSummaries(`(SELECT t.* FROM (${newest}) n JOIN tasks t ON t.id = n.task_id) t`, "ORDER BY t.seq DESC"),
        )(...conditions.values);
  const { rows, nextCursor } = page(found, input);
  const now = ctx.clock.now();
  return { tasks: rows.map((task) => summaryView(task, now)), next_cursor: nextCursor };
}
