import assert from "node:assert/strict";
import type pg from "pg";
import { pool } from "#lib/db/client.ts";
import { withClient } from "#lib/db/with-client.ts";

type Statement = { text: string; values: unknown[] };

/** A step of a plan: how rows are read, of which relation, through which index, and how many the planner expects. */
export type PlanNode = { type: unknown; relation: unknown; index: unknown; rows: unknown };

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

/**
 * Fixes what the planner knows, so that plans don't depend on when a test ran: autovacuum leaves the tables alone from now on, and
 * ANALYZE reads every row instead of a random sample. Call it once all rows are in place.
 */
export async function fixStatistics(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    // On an outside server (TEST_DATABASE_URL) autovacuum may run; ours has it turned off.
    await client.query(`DO $$ DECLARE name regclass; BEGIN
      FOR name IN SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', name);
      END LOOP; END $$`);
    // A sample is 300 rows for each point of the target: this is more than any test's table has.
    await client.query("SET default_statistics_target = 400");
    await client.query("VACUUM (ANALYZE)");
  });
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

/** Fails unless these statements use these indexes and read no large table as a whole, whichever way they are planned. */
export async function assertPlans(
  statements: readonly Statement[],
  large: ReadonlySet<unknown>,
  indexes: readonly string[] = [],
  kinds: readonly ("any" | "these")[] = ["any", "these"],
): Promise<void> {
  assert.ok(statements.length > 0);
  for (const kind of kinds) {
    const nodes: PlanNode[] = [];
    for (const statement of statements) nodes.push(...(await explain(pool(), statement, kind)));
    const whole = nodes.filter(({ type, relation }) => type === "Seq Scan" && large.has(relation));
    assert.deepEqual(whole, [], `reads a whole table when planned for ${kind} values`);
    const used = new Set(nodes.map(({ index }) => index));
    for (const index of indexes)
      assert.ok(used.has(index), `${index} is not used when planned for ${kind} values: ${[...used]}`);
  }
}

function flatten(plan: Record<string, unknown>): PlanNode[] {
  const below = (plan.Plans ?? []) as Record<string, unknown>[];
  const node = {
    type: plan["Node Type"],
    relation: plan["Relation Name"],
    index: plan["Index Name"],
    rows: plan["Plan Rows"],
  };
  return [node, ...below.flatMap(flatten)];
}
