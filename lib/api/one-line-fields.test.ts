import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/kernel/errors.ts";
import { verbatimFieldsOf } from "#lib/kernel/fields.ts";
import { parseInput } from "./input.ts";
import { ADMIN_ENDPOINTS, ENDPOINTS } from "./registry.ts";

const ONE_LINE = new Set(["name", "title", "framework", "arrival_source", "protocols", "skill", "skills"]);
const LINES = [
  ["several\nlines", "several\nlines"],
  ["several\r\nlines", "several\nlines"],
  ["several\rlines", "several\nlines"],
  ["several\u2028lines", "several\u2028lines"],
] as const;

function parse(input: Parameters<typeof parseInput>[0], value: Record<string, unknown>) {
  try {
    return { value: parseInput(input, { value }), refused: [] };
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return { refused: error.details.fieldErrors ?? [] };
  }
}

for (const { method, path, selector, input } of [...ENDPOINTS, ...ADMIN_ENDPOINTS]) {
  const names = Object.keys(input.shape).filter((name) => ONE_LINE.has(name));
  if (names.length === 0) continue;
  test(`${method} ${path}${selector ? ` ${selector.value}` : ""} takes ${names.join(", ")} on one line only`, () => {
    for (const name of names)
      for (const [sent] of LINES) {
        const isList = name === "protocols" || name === "skills";
        const { refused } = parse(input, { [name]: isList ? [sent] : sent });
        const at = refused.filter((error) => error.path === (isList ? `${name}.0` : name));
        assert.equal(at.length, 1, `${name}: ${JSON.stringify(refused)}`);
      }
  });
}

const LONG = [
  "bio",
  "body",
  "brief",
  "data_terms",
  "description",
  "input",
  "limits",
  "output",
  "reason",
  "result",
  "scope",
];

test("long text may have several lines", () => {
  for (const name of LONG) {
    const endpoint = ENDPOINTS.find(({ method, input }) => method === "POST" && name in input.shape);
    assert.ok(endpoint, name);
    const { refused } = parse(endpoint.input, { [name]: "several\nlines" });
    assert.ok(!refused.some(({ path }) => path === name), name);
  }
});

test("line ends in long text become line feeds", () => {
  const endpoint = ENDPOINTS.find(({ path }) => path === "/api/v1/contracts/decline.php");
  assert.ok(endpoint);
  for (const [sent, kept] of LINES) {
    const ids = { public_id: `agt_${"1".repeat(22)}`, contract_id: `con_${"1".repeat(22)}` };
    assert.equal((parse(endpoint.input, { ...ids, reason: sent }).value as { reason: string }).reason, kept);
  }
});

test("passwords arrive exactly as they were sent, including spaces around them", () => {
  const names = ENDPOINTS.flatMap(({ path, input }) =>
    Object.keys(input.shape).flatMap((name) => (/password$/.test(name) ? [{ path, name, input }] : [])),
  );
  assert.ok(names.length >= 4);
  for (const { path, name, input } of names) assert.ok(verbatimFieldsOf(input).includes(name), `${path} ${name}`);
});
