import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { listDisputes } from "#lib/admin/page-reads/disputes.ts";
import { listHosts } from "#lib/admin/page-reads/hosts.ts";
import { listOwners } from "#lib/admin/page-reads/owners.ts";
import { listReports } from "#lib/admin/page-reads/reports.ts";
import { listSettlements, readTotals } from "#lib/admin/page-reads/settlements.ts";
import * as admin from "#lib/admin/schema.ts";
import { findServiceActor } from "#lib/identity/read.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { PublicContext } from "#lib/kernel/context.ts";
import { encodeCursor } from "#lib/kernel/cursor.ts";
import { newId } from "#lib/kernel/ids.ts";
import { digestsOf } from "#lib/kernel/secrets.ts";
import { listTasks, myTasks } from "#lib/tasks/read.ts";
import { ListTasksInput, MyTasksInput } from "#lib/tasks/schema.ts";
import { testService } from "#testing/client.ts";
import { registerAgent } from "#testing/factories.ts";
import { boolean, type Columns, nullable, select, text } from "./columns.ts";
import { declared, statement, statements } from "./statement.ts";

const ROOT = resolve(import.meta.dirname, "../..");

let client: pg.Client;
const service = testService({}, async () => {
  client = new pg.Client({ connectionString: service.url });
  await client.connect();
  return () => client.end();
});

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number };

/** Has PostgreSQL parse a statement and describe its rows, without running it. */
function describe(sql: string): Promise<Field[]> {
  return new Promise((done, fail) => {
    let fields: Field[] = [];
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: "", text: sql, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      // After an error, the driver calls nothing else.
      handleError: fail,
      handleReadyForQuery: () => done(fields),
    } as unknown as pg.Submittable);
  });
}

/** The product of some choices for each field, where undefined leaves the field out. */
function combinations(choices: Record<string, (string | undefined)[]>): Record<string, string>[] {
  return Object.entries(choices).reduce<Record<string, string>[]>(
    (all, [name, values]) =>
      all.flatMap((chosen) => values.map((value) => (value === undefined ? chosen : { ...chosen, [name]: value }))),
    [{}],
  );
}

/** Reads the lists whose text depends on their input, because such statements are declared when they are first used. */
async function useVariants(): Promise<void> {
  const clock = systemClock;
  const visitor: PublicContext = { actor: { kind: "visitor" }, clock, requestId: "req_x" };
  const cursor = [undefined, encodeCursor("5")];
  const state = [undefined, "open", "expired", "claimed"];
  const mode = [undefined, "TEST"];
  for (const input of combinations({
    state,
    cursor,
    payment_mode: mode,
    skill: [undefined, "x"],
    q: [undefined, "x"],
  })) {
    await listTasks(visitor, ListTasksInput.parse(input));
  }
  const agent = await registerAgent();
  const caller = await findServiceActor(digestsOf(agent.token));
  assert.ok(caller);
  for (const input of combinations({ role: [undefined, "requester", "provider"], state, cursor })) {
    await myTasks({ ...visitor, actor: caller }, MyTasksInput.parse({ ...input, public_id: agent.publicId }));
  }
  const settled = [undefined, "recorded"];
  const ids = ["stl", "tsk", "con", "agt"].map((prefix) => `${prefix}_x`);
  for (const input of combinations({ q: [undefined, ...ids], state: settled, payment_mode: mode, cursor })) {
    await listSettlements(admin.SettlementsQuery.parse(input));
    await readTotals(admin.SettlementsQuery.parse(input));
  }
  const dispute = [undefined, newId("dsp")];
  for (const input of combinations({ state: ["open", "resolved"], cursor: dispute })) {
    await listDisputes(admin.DisputesQuery.parse(input));
  }
  const kinds = [undefined, ...admin.REPORT_KINDS];
  for (const input of combinations({
    state: [...admin.REPORT_STATES],
    kind: kinds,
    cursor: [undefined, newId("rpt")],
  })) {
    await listReports(admin.ReportsQuery.parse(input));
  }
  const search = [undefined, "words", newId("own")];
  for (const input of combinations({
    q: search,
    role: [undefined, "owner"],
    state: [undefined, "active", "disabled"],
    cursor: [undefined, newId("own")],
  })) {
    await listOwners(admin.OwnersQuery.parse(input));
  }
  for (const input of combinations({ held: [undefined, "1"] })) await listHosts(admin.HostsQuery.parse(input));
}

test("every hand-written statement returns the columns that it declares", async () => {
  const files = globSync("lib/**/*.ts", { cwd: ROOT }).filter(
    (file) => !/\.i?test\.ts$|\/(testing|generated)\//.test(file),
  );
  const sources = files.filter((file) =>
    /from "(#lib\/db|\.)\/(statement|named|list|batch|by-digest)\.ts"/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  for (const file of sources) await import(join(ROOT, file));
  await useVariants();
  assert.ok(declared.size > 200, `only ${declared.size} statements were found`);

  const { rows: types } = await client.query<{ oid: number; name: string; labels: string[] | null }>(
    `SELECT oid::int, format_type(oid, NULL) AS name,
       (SELECT array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid) AS labels FROM pg_type t`,
  );
  const typeOf = new Map(types.map((type) => [type.oid, type]));
  const { rows: optional } = await client.query<{ key: string }>(
    "SELECT attrelid::int || '.' || attnum AS key FROM pg_attribute WHERE attnum > 0 AND NOT attnotnull",
  );
  const mayBeNull = new Set(optional.map(({ key }) => key));

  const differences: string[] = [];
  await assert.rejects(describe("SELECT FROM nowhere"), /nowhere/);
  for (const [name, { columns, text }] of declared) {
    // Test files that ran before in this process declared theirs as well.
    if (name.startsWith("test.")) continue;
    const fields = await describe(text).catch((error: Error) => error);
    if (fields instanceof Error) differences.push(`${name}: ${fields.message}`);
    else differences.push(...compare(columns, fields).map((difference) => `${name}: ${difference}`));
  }
  assert.deepEqual(differences, []);

  function compare(columns: Columns, fields: Field[]): string[] {
    const found = new Map(fields.map((field) => [field.name, field]));
    const extra = fields.filter(({ name }) => !(name in columns)).map(({ name }) => `${name} is not declared`);
    return [
      ...extra,
      ...Object.entries(columns).flatMap(([name, { type, labels, nullable, constant }]) => {
        const field = found.get(name);
        if (constant) return field ? [`${name} is always ${constant.value}, but returned`] : [];
        if (!field) return [`${name} is declared, but not returned`];
        const actual = typeOf.get(field.dataTypeID);
        if (actual?.name !== type) return [`${name} is declared as ${type}, but is ${actual?.name}`];
        if (labels && labels.join() !== actual.labels?.join())
          return [`${name} has the values ${actual.labels}, not ${labels}`];
        if (!nullable && mayBeNull.has(`${field.tableID}.${field.columnID}`))
          return [`${name} may be null, but is not declared so`];
        return [];
      }),
    ];
  }
});

test("a statement's name is unique, and fits PostgreSQL's 63 bytes with its digest", () => {
  statement("test.once", { one: text }, "SELECT 'a' AS one");
  assert.throws(() => statement("test.once", { one: text }, "SELECT 'b' AS one"), /two statements named "test\.once"/);
  statement("x".repeat(54), {}, "SELECT");
  assert.throws(() => statement(`${"x".repeat(52)}é€`, {}, "SELECT"), /longer than 54 bytes/);
});

test("a column that always has one value is in every row without being read", async () => {
  const columns = {
    one: text.from("'a'"),
    other: boolean.from("now()").always(false),
    third: nullable(text).always(null),
  };
  const read = statement("test.constant", columns, `SELECT ${select(columns)}`);
  assert.deepEqual(await read(), [{ one: "a", other: false, third: null }]);
});

test("each variant of a statement has its own name", async () => {
  const read = statements("test.variants", { one: text });
  const rows = [await read("a", () => "SELECT 'a' AS one")(), await read("b", () => "SELECT 'b' AS one")()];
  assert.deepEqual(rows, [[{ one: "a" }], [{ one: "b" }]]);
  assert.deepEqual(await read("a", () => assert.fail("it was built twice"))(), [{ one: "a" }]);
});

test("copies of the module that share connections may use variants in any order", async () => {
  // As Next loads its own copy. A specifier with a query makes another instance.
  const copy: { statements: typeof statements } = await import(`./statement.ts${"?copy"}`);
  const mine = statements("shared", { one: text });
  const theirs = copy.statements("shared", { one: text });
  await mine("a", () => "SELECT 'a' AS one")();
  // Often enough to meet a connection that knows the first one's statement.
  for (let turn = 0; turn < 20; turn++)
    assert.deepEqual(await theirs("b", () => "SELECT 'b' AS one")(), [{ one: "b" }]);
});
