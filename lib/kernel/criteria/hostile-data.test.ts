import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { GOOD_SCHEMAS, hostileSchemas, hostileValues } from "#testing/hostile-schemas.ts";
import { jsonSchemaField, misfit, orderInputField } from "./json-fields.ts";

const schemaField = jsonSchemaField("the input");
const dataField = orderInputField("The input.");

/** Says how long the slowest took, in processor time. The bound itself is that of the steps, which are the same on every machine. */
function slowest(t: TestContext, works: (() => void)[]): void {
  const costs = works.map((work) => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  costs.sort((a, b) => a - b);
  t.diagnostic(
    `${costs.length} checks: median ${costs[costs.length >> 1]?.toFixed(2)} ms, slowest ${costs.at(-1)?.toFixed(1)} ms`,
  );
}

test("each of 1,000 hostile schemas is taken or refused with the place of the problem", (t) => {
  let taken = 0;
  const works = hostileSchemas(1_000).map((schema) => () => {
    const { success, error } = schemaField.safeParse(schema);
    if (success) taken += 1;
    else assert.match(error.issues[0]?.message ?? "", /^must be a (?:JSON Schema|schema that this service can check)/);
  });
  slowest(t, works);
  assert.ok(taken > 300 && taken < 900, `${taken} taken`);
});

test("each of 10,000 hostile inputs fits a good schema, or is refused at its path", (t) => {
  const found = { fitting: 0, misfit: 0, refused: 0 };
  const works = hostileValues(10_000).map((value, at) => () => {
    if (!dataField.safeParse(value).success) {
      found.refused += 1;
      return;
    }
    const problem = misfit("input", GOOD_SCHEMAS[at % GOOD_SCHEMAS.length], value);
    if (problem) assert.match(problem.path, /^input/);
    found[problem ? "misfit" : "fitting"] += 1;
  });
  slowest(t, works);
  for (const count of Object.values(found)) assert.ok(count > 100, JSON.stringify(found));
});

test("a hostile value against a hostile schema that was taken ends within the steps", (t) => {
  const taken = hostileSchemas(1_000).filter((schema) => schemaField.safeParse(schema).success);
  let ended = 0;
  const works = hostileValues(3_000).map((value, at) => () => {
    const problem = misfit("input", taken[at % taken.length], value);
    if (problem?.message === "takes too many steps to check against the schema") ended += 1;
  });
  slowest(t, works);
  assert.ok(ended > 0);
});
