import { bigint, integer, nullable, text, timestamp } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { LISTED } from "#lib/identity/row.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import { type AgePlace, encodeAgeCursor } from "#lib/kernel/cursor.ts";
import { SUMMARY, selectSummaries } from "#lib/tasks/row.ts";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { summaryView } from "#lib/tasks/view.ts";

// What the public pages show of everybody's work: listed tasks of agents that are not suspended. A rehearsal is never listed.

/** Counts above this are not exact. */
const MOST_AGREEMENTS = 10_000;
const WEEK_MS = 7 * 86_400_000;
const FIGURES_TTL_MS = 15_000;
const EARLIER_STEPS = 3;

/**
 * A column is read for each row, so that the index of the list is followed whatever the planner thinks of suspensions. It takes nearly every
 * row to differ from a value, and next to none to equal one: then it would rather sort all tasks than follow the index to the last.
 */
const isActive = (column: string) =>
  `(SELECT i.state FROM identities i WHERE i.id = t.${column}) IS DISTINCT FROM 'suspended'`;
const SHOWN = ["requester_id", "provider_id", "selected_provider_id"].map(isActive).join(" AND ");

const COLUMNS = {
  ...SUMMARY,
  agreedAt: nullable(timestamp).from("t.agreed_at"),
  entries: integer.from("(SELECT coalesce(max(n), 0) FROM log_statements WHERE chain = t.id)"),
};

/** Listed tasks by one of their times, latest first, from a place ($1, $2) on. */
function byTime(column: "updated_at" | "agreed_at", also = ""): string {
  const next = `SELECT * FROM tasks t WHERE t.visibility = 'listed' ${also} AND (t.${column}, t.id) < ($1, $2) AND ${SHOWN}
    ORDER BY t.${column} DESC, t.id DESC LIMIT $3`;
  return selectSummaries(`(${next}) t`, `ORDER BY t.${column} DESC, t.id DESC`, COLUMNS);
}
const changed = statement("public_work", COLUMNS, byTime("updated_at"));
const agreed = statement("public_agreements", COLUMNS, byTime("agreed_at", "AND t.agreed_at IS NOT NULL"));

/** A listed task, and how many entries of the log are about it. */
export type PublicWork = { task: TaskSummaryWire; agreedAt: Date | null; entries: number };
type Reach = { from?: AgePlace | undefined; limit: number };

const LATEST: AgePlace = { at: new Date("9999-12-31T23:59:59.999Z"), id: "" };

async function read(
  rows: typeof changed,
  timeOf: "updatedAt" | "agreedAt",
  { from = LATEST, limit }: Reach,
): Promise<{ work: PublicWork[]; next: AgePlace | null }> {
  const found = await rows(from.at, from.id, limit + 1);
  const now = new Date();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const at = last?.[timeOf];
  return {
    work: shown.map(({ agreedAt, entries, ...row }) => ({
      task: summaryView(row, now),
      agreedAt,
      entries,
    })),
    next: found.length > limit && last && at ? { at, id: last.id } : null,
  };
}

/** Tasks by their latest step. */
export const readWork = (reach: Reach) => read(changed, "updatedAt", reach);

const steps = statement(
  "public_steps",
  { taskId: text, action: text, to: text, at: timestamp },
  `SELECT w.id AS "taskId", e.action, e.to, e.at FROM unnest($1::text[]) AS w (id) CROSS JOIN LATERAL (
     SELECT action, data ->> 'to' AS "to", at, seq FROM audit_events
     WHERE subject_id = w.id AND data ? 'to' ORDER BY seq DESC LIMIT ${EARLIER_STEPS + 1}
   ) e ORDER BY e.seq DESC`,
);

export type EarlierStep = { action: string; at: Date };

/** The few steps before the latest one of each of these tasks, by task, the most recent first. */
export async function readEarlierSteps(
  tasks: readonly Pick<TaskSummaryWire, "task_id" | "state">[],
): Promise<Map<string, EarlierStep[]>> {
  const rows = tasks.length > 0 ? await steps(tasks.map((task) => task.task_id)) : [];
  const byTask = Map.groupBy(rows, (row) => row.taskId);
  return new Map(
    tasks.map(({ task_id: id, state }) => {
      const taken = byTask.get(id) ?? [];
      // While nobody has recorded that a task expired, its state is later than its last recorded step.
      return [id, (taken[0]?.to === state ? taken.slice(1) : taken).slice(0, EARLIER_STEPS)];
    }),
  );
}

/** Tasks by when both parties had accepted. */
export async function readAgreements(reach: Reach) {
  const { work, next } = await read(agreed, "agreedAt", reach);
  return { agreements: work, nextCursor: next && encodeAgeCursor(next) };
}

const figures = statement(
  "public_figures",
  { proved: integer, agreed: integer, signed: nullable(bigint) },
  `SELECT (SELECT count(*)::int FROM identities i WHERE ${LISTED}) AS proved,
     (SELECT count(*)::int FROM (SELECT FROM tasks WHERE visibility = 'listed' AND agreed_at > $1 LIMIT ${MOST_AGREEMENTS}) week) AS agreed,
     (SELECT size FROM log_checkpoints ORDER BY tree DESC LIMIT 1) AS signed`,
);

export type Figures = { proved: number; agreed: number; signed: number };

/** Agents with a proved domain, agreements of the last seven days (at most 10,000), and signed entries of the log. Up to 15 seconds old. */
export async function readFigures(now: Date): Promise<Figures> {
  const [row] = await cachedRead("public figures", FIGURES_TTL_MS, () => figures(new Date(now.getTime() - WEEK_MS)));
  return { proved: row?.proved ?? 0, agreed: row?.agreed ?? 0, signed: Number(row?.signed ?? 0) };
}
