import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { startTestService } from "#lib/testing/client.ts";
import { type Columns, text } from "./columns.ts";
import { declared, statement, statements } from "./statement.ts";

const ROOT = resolve(import.meta.dirname, "../..");

let service: Awaited<ReturnType<typeof startTestService>>;
let client: pg.Client;
before(async () => {
  service = await startTestService();
  client = new pg.Client({ connectionString: service.url });
  await client.connect();
});
after(async () => {
  await client.end();
  await service.stop();
});

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number };

/** Has PostgreSQL parse a statement and describe its rows, without running it. */
function describe(sql: string): Promise<Field[]> {
  return new Promise((done, fail) => {
    let fields: Field[] = [];
    let failure: Error | undefined;
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: "", text: sql, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      handleError(error: Error) {
        failure = error;
      },
      handleReadyForQuery() {
        if (failure) fail(failure);
        else done(fields);
      },
    } as unknown as pg.Submittable);
  });
}

test("every hand-written statement returns the columns that it declares", async () => {
  const files = globSync("lib/**/*.ts", { cwd: ROOT }).filter(
    (file) => !/\.i?test\.ts$|\/(testing|generated)\//.test(file),
  );
  const sources = files.filter((file) =>
    /from "(#lib\/db|\.)\/(statement|list|by-digest)\.ts"/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  for (const file of sources) await import(join(ROOT, file));
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
  for (const [name, { columns, text }] of declared) {
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
      ...Object.entries(columns).flatMap(([name, { type, labels, nullable }]) => {
        const field = found.get(name);
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

test("a statement's name is unique and at most 63 bytes long", () => {
  statement("test.once", { one: text }, "SELECT 'a' AS one");
  assert.throws(() => statement("test.once", { one: text }, "SELECT 'b' AS one"), /two statements named "test\.once"/);
  statement("x".repeat(63), {}, "SELECT");
  assert.throws(() => statement(`${"x".repeat(61)}é€`, {}, "SELECT"), /longer than 63 bytes/);
});

test("each variant of a statement has its own name", async () => {
  const read = statements("test.variants", { one: text });
  const rows = [await read("a", () => "SELECT 'a' AS one", []), await read("b", () => "SELECT 'b' AS one", [])];
  assert.deepEqual(rows, [[{ one: "a" }], [{ one: "b" }]]);
  assert.deepEqual(await read("a", () => assert.fail("it was built twice"), []), [{ one: "a" }]);
});
