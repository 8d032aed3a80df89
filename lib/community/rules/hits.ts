import { batchedWrite } from "#lib/db/batch.ts";
import { integer, text } from "#lib/db/columns.ts";
import { forgetting } from "#lib/db/forgetting.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { countRule } from "#lib/kernel/metrics.ts";

// How often each rule was applied, by day in UTC: whether a setting or a pattern is too strict shows here first.

const KEPT_DAYS = 400;

const add = batchedWrite(
  "community_rule_hits",
  {},
  `INSERT INTO rule_hits (day, rule, hits)
   SELECT day, rule, count(*) FROM unnest($1::date[], $2::int[]) AS given (day, rule) GROUP BY day, rule ORDER BY day, rule
   ON CONFLICT (day, rule) DO UPDATE SET hits = rule_hits.hits + excluded.hits`,
);

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

export async function countHit({ clock }: Pick<Context, "clock">, rule: number): Promise<void> {
  countRule(rule);
  await add(dayOf(clock.now()), rule);
}

/** Runs an act, and counts a refusal under the rule that it names. */
export async function countingHits<Result>(ctx: Pick<Context, "clock">, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError && error.details.rule !== undefined) await countHit(ctx, error.details.rule);
    throw error;
  }
}

const since = statement(
  "community_rule_hits_since",
  { day: text, rule: integer, hits: integer },
  "SELECT day::text AS day, rule, hits FROM rule_hits WHERE day >= $1::date",
);

/** For each of the newest days, today first, the hits of the rules that had any. */
export async function readHits(now: Date, days: number): Promise<{ day: Date; hits: Map<number, number> }[]> {
  const dates = Array.from(
    { length: days },
    (_, back) => new Date(`${dayOf(secondsAfter(now, -back * 86_400))}T00:00Z`),
  );
  const rows = await since(dayOf(dates.at(-1) ?? now));
  return dates.map((day) => ({
    day,
    hits: new Map(rows.filter((row) => row.day === dayOf(day)).map(({ rule, hits }) => [rule, hits])),
  }));
}

const forgetBefore = forgetting("community_forget_rule_hits", {
  table: "rule_hits",
  key: "day, rule",
  where: "day < $1",
  oldestBy: "day",
});

export const forgetHits = ({ clock }: Pick<Context, "clock">): Promise<void> =>
  forgetBefore(secondsAfter(clock.now(), -KEPT_DAYS * 86_400));
