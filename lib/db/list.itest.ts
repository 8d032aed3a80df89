import assert from "node:assert/strict";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { fc } from "#testing/seed.ts";
import { pool } from "./client.ts";
import { text } from "./columns.ts";
import { byAge, list, listBy } from "./list.ts";
import { withClient } from "./with-client.ts";

const ROWS = 15_000;
/** Words by how often they occur: in how many rows out of how many, from which part of the table. */
const WORDS: Record<string, string> = {
  common: "random() < 0.5",
  middling: "random() < 0.05",
  sparse: "random() < 0.01",
  rare: "random() < 0.0005",
  bygone: `n < ${ROWS / 5} AND random() < 0.3`,
  recent: `n > ${ROWS - 50} AND random() < 0.1`,
  single: `n = ${ROWS - 1_500}`,
};
const KINDS = ["usual", "seldom", "never"];
const OWNERS = ["ann", "bob", "cy", "nobody"];

const service = testService({}, async () => {
  const words = Object.entries(WORDS).map(([word, chance]) => `CASE WHEN ${chance} THEN ' ${word}' ELSE '' END`);
  const plant = `
    SELECT setseed(0.5);
    CREATE TABLE things (seq bigint PRIMARY KEY, id text UNIQUE, created_at timestamptz, kind text, owner text, search tsvector);
    INSERT INTO things SELECT n, 'thing_' || n, timestamptz '2026-01-01' + (n / 3) * interval '1 minute',
      CASE WHEN n % 997 = 0 THEN 'seldom' WHEN n % 50 = 1 THEN 'hidden' ELSE 'usual' END,
      CASE WHEN n % 13 = 0 THEN 'ann' WHEN n < 6000 THEN 'bob' ELSE 'cy' END, to_tsvector('english', ${words.join(" || ")})
    FROM generate_series(1, ${ROWS}) n;
    CREATE INDEX ON things (owner, seq);
    CREATE INDEX ON things USING gin (search) WITH (fastupdate = off);
    CREATE INDEX ON things (created_at, id);
    ANALYZE things;
    GRANT SELECT ON things TO PUBLIC`;
  await withClient(service.ownerUrl, (owner) => owner.query(plant));
  return undefined;
});

const FILTERS = {
  kind: (placeholder: string) => `t.kind = ${placeholder}`,
  owner: (placeholder: string) => `t.owner = ${placeholder}`,
  q: (placeholder: string) => `t.search @@ (SELECT plainto_tsquery('english', ${placeholder}))`,
};
const THINGS = {
  table: "things",
  alias: "t",
  scope: "t.kind <> 'hidden'",
  columns: { id: text.from("t.id") },
  filters: FILTERS,
};
type Filters = Partial<Record<keyof typeof FILTERS, string>>;

/** A bound of a list: a condition, given the placeholder of its value. */
type Bound = [condition: (placeholder: string) => string, value: unknown];

/** What a list has to answer, read in the simplest way. */
async function expected(filters: Filters, bounds: Bound[], order: string, limit: number) {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions = [
    THINGS.scope,
    ...Object.entries(filters).map(([name, given]) => FILTERS[name as keyof Filters](value(given))),
    ...bounds.map(([condition, given]) => condition(value(given))),
  ];
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM things t WHERE ${conditions.join(" AND ")} ORDER BY ${order} LIMIT ${limit + 1}`,
    values,
  );
  return rows.map(({ id }) => id);
}

const WORD = fc.constantFrom(...Object.keys(WORDS));
const SOME_FILTERS: fc.Arbitrary<Filters> = fc.record(
  {
    kind: fc.constantFrom(...KINDS),
    owner: fc.constantFrom(...OWNERS),
    q: fc.oneof({ arbitrary: WORD, weight: 4 }, fc.tuple(WORD, WORD).map(String), fc.constant("unheard")),
  },
  { requiredKeys: [] },
);
const LIMIT = fc.constantFrom(0, 1, 2, 20, 100);
// Without fast-check's preference for the ends, where there is little to find.
const PLACE = fc.option(fc.noBias(fc.integer({ min: 1, max: ROWS })), { nil: undefined });

for (const [kind, more] of [
  ["with a search", { searched: "q" as const }],
  ["with an index and a search", { indexed: ["owner" as const], searched: "q" as const }],
  ["with an index", { indexed: ["owner" as const], joins: "JOIN things other ON other.seq = t.seq" }],
] as const) {
  test(`a list ${kind} gives exactly what a plain query gives, for any filters and reach`, async () => {
    const read = list({ ...THINGS, ...more, name: `test.things_${kind.replaceAll(" ", "_")}` });
    const holds = fc.asyncProperty(SOME_FILTERS, PLACE, PLACE, LIMIT, async (filters, before, after, limit) => {
      const bounds: Bound[] = [];
      if (before !== undefined) bounds.push([(at) => `t.seq < ${at}`, before]);
      if (after !== undefined) bounds.push([(at) => `t.seq > ${at}`, after]);
      assert.deepEqual(
        (await read({ before, after, limit }, filters)).map(({ id }) => id),
        await expected(filters, bounds, after === undefined ? "t.seq DESC" : "t.seq", limit),
      );
    });
    await fc.assert(holds, { numRuns: 600 });
  });
}

test("a list by age gives exactly what a plain query gives, in both directions, from any place on", async () => {
  for (const ascending of [true, false]) {
    const read = listBy({ ...THINGS, name: `test.things_by_age_${ascending}` }, { ...byAge("things"), ascending });
    const [way, beyond] = ascending ? ["ASC", ">"] : ["DESC", "<"];
    const place: Bound[0] = (at) =>
      `(t.created_at, t.id) ${beyond} (SELECT created_at, id FROM things WHERE id = ${at})`;
    const holds = fc.asyncProperty(SOME_FILTERS, PLACE, LIMIT, async (filters, seq, limit) => {
      const cursor = seq === undefined ? undefined : `thing_${seq}`;
      const { rows, nextCursor } = await read({ cursor, limit }, filters);
      const bounds: Bound[] = cursor ? [[place, cursor]] : [];
      const ids = await expected(filters, bounds, `t.created_at ${way}, t.id ${way}`, limit);
      const shown = ids.slice(0, limit);
      assert.deepEqual(
        [rows.map(({ id }) => id), nextCursor],
        [shown, ids.length > limit ? (shown.at(-1) ?? null) : null],
      );
    });
    await fc.assert(holds, { numRuns: 200 });
  }
});
