import type pg from "pg";
import { pool } from "#lib/db/client.ts";

export type Statement = { text: string; values: unknown[] };

/** A step of a plan: how rows are read, of which relation, through which index. */
export type PlanNode = { type: unknown; relation: unknown; index: unknown };

/** What the service sends to the database while `work` runs. */
export async function statementsOf(work: () => Promise<void>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const connections = pool();
  const query = connections.query;
  connections.query = ((statement: Statement) => {
    sent.push(statement);
    return Reflect.apply(query, connections, [statement]);
  }) as typeof query;
  try {
    await work();
  } finally {
    connections.query = query;
  }
  return sent;
}

/** The plan for any values, which a prepared statement keeps after a while, or the plan for just these. */
export async function explain(
  client: Pick<pg.Pool, "query">,
  { text, values }: Statement,
  kind: "any" | "these",
): Promise<PlanNode[]> {
  const { rows } =
    kind === "any"
      ? await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
      : await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
  return flatten(rows[0]["QUERY PLAN"][0].Plan);
}

function flatten(plan: Record<string, unknown>): PlanNode[] {
  const below = (plan.Plans ?? []) as Record<string, unknown>[];
  const node = { type: plan["Node Type"], relation: plan["Relation Name"], index: plan["Index Name"] };
  return [node, ...below.flatMap(flatten)];
}
