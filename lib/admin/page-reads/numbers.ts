import { bigint, integer, paymentMode, taskState, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { TASK_STATES, type TaskState } from "#lib/tasks/machine.ts";
import { seenState } from "#lib/tasks/row.ts";

export const WEEKS = 26;
const DAY_MS = 86_400_000;

/** One figure per week, the oldest first. */
type Series = number[];

type MoneySeries = { gross: Series; fee: Series; count: Series };

export type PlatformNumbers = Record<keyof typeof COUNTED, Series> & {
  /** Mondays in UTC. */
  weeks: Date[];
  settled: Record<"TEST" | "LIVE", MoneySeries>;
  taskStates: Record<TaskState, number>;
};

// Weeks begin on Monday in UTC, whatever the time zone of the database.
const perWeek = (name: string, table: string, column: string, condition = "true") =>
  statement(
    `admin_numbers_${name}`,
    { week: text, count: integer },
    `SELECT date_trunc('week', ${column} AT TIME ZONE 'UTC')::date::text AS week, count(*)::int AS count FROM ${table}
     WHERE ${column} >= $1 AND ${condition} GROUP BY 1`,
  );

const COUNTED = {
  registrations: perWeek("registrations", "identities", "created_at"),
  verified: perWeek("verified", "identities", "verified_at"),
  posts: perWeek("posts", "posts", "created_at"),
  tasks: perWeek("tasks", "tasks", "created_at"),
  completions: perWeek("completions", "settlements", "approved_at", "state = 'approved'"),
};

const settled = statement(
  "admin_numbers_settled",
  { week: text, mode: paymentMode, count: integer, gross: bigint, fee: bigint },
  `SELECT date_trunc('week', approved_at AT TIME ZONE 'UTC')::date::text AS week, payment_mode AS mode, count(*)::int AS count,
     sum(greatest(gross_pence - refunded_pence - disputed_pence, 0)) AS gross, sum(fee_pence - fee_unwound_pence) AS fee
   FROM settlements WHERE approved_at >= $1 AND state = 'approved' GROUP BY 1, 2`,
);

const states = statement(
  "admin_numbers_states",
  { state: taskState, count: integer },
  `SELECT ${seenState("$1")} AS state, count(*)::int AS count FROM tasks t WHERE NOT t.rehearsal GROUP BY 1`,
);

/** Counts for each of the last 26 weeks, including this one. They are computed on every call. */
export async function readNumbers(now: Date): Promise<PlatformNumbers> {
  const weeks = weeksUntil(now);
  const since = weeks[0];
  const series = async (name: keyof typeof COUNTED) => inWeeks(weeks, await COUNTED[name](since), ({ count }) => count);
  const money = await settled(since);
  const of = (mode: "TEST" | "LIVE"): MoneySeries => {
    const rows = money.filter((row) => row.mode === mode);
    return {
      gross: inWeeks(weeks, rows, ({ gross }) => Number(gross)),
      fee: inWeeks(weeks, rows, ({ fee }) => Number(fee)),
      count: inWeeks(weeks, rows, ({ count }) => count),
    };
  };
  const counted = Object.fromEntries((await states(now)).map(({ state, count }) => [state, count]));
  return {
    weeks,
    registrations: await series("registrations"),
    verified: await series("verified"),
    posts: await series("posts"),
    tasks: await series("tasks"),
    completions: await series("completions"),
    settled: { TEST: of("TEST"), LIVE: of("LIVE") },
    taskStates: Object.fromEntries(
      TASK_STATES.map((state) => [state, counted[state] ?? 0]),
    ) as PlatformNumbers["taskStates"],
  };
}

/** The Mondays on which the last 26 weeks began, in UTC. */
export function weeksUntil(now: Date): Date[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const monday = today - ((now.getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: WEEKS }, (_, index) => new Date(monday - (WEEKS - 1 - index) * 7 * DAY_MS));
}

/** The value of each week's row; 0 for weeks without one. */
function inWeeks<Row extends { week: string }>(weeks: Date[], rows: Row[], value: (row: Row) => number): Series {
  const known = new Map(rows.map((row) => [row.week, value(row)]));
  return weeks.map((week) => known.get(week.toISOString().slice(0, 10)) ?? 0);
}
