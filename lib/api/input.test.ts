import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { ApiError } from "#lib/kernel/errors.ts";
import { text } from "#lib/kernel/fields.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { fc } from "#testing/seed.ts";
import { MAX_BODY_BYTES, parseInput, readAtMost, readJsonBody, refuseSecretInQuery } from "./input.ts";

function post(body: string | Uint8Array<ArrayBuffer> | ReadableStream, headers: Record<string, string> = {}): Request {
  const init = { method: "POST", body, headers: { "Content-Type": "application/json", ...headers }, duplex: "half" };
  return new Request("http://localhost/", init as RequestInit);
}
const code = (expected: string) => (error: unknown) => error instanceof ApiError && error.code === expected;

test("a secret in a query is refused, whatever the parameter, encoding or other input", () => {
  for (const prefix of ["ghm", "ghc", "ghk"] as const) {
    const secret = newSecret(prefix);
    const hidden = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
    const queries = [
      `?token=${secret}`,
      `?${secret}`,
      `?x=1&y=a${secret}`,
      `?t=${hidden}`,
      `?bad=%zz&t=${hidden}`,
      `?${hidden}=1`,
    ];
    for (const query of queries)
      assert.throws(() => refuseSecretInQuery(query), code("invalid_input"), query.slice(0, 20));
  }
});

test("a query without a secret is not refused", () => {
  refuseSecretInQuery("");
  refuseSecretInQuery(`?proof=${newSecret("ghv")}`);
  refuseSecretInQuery(`?q=${"%".repeat(60)}`);
  fc.assert(fc.property(fc.webQueryParameters(), (query) => refuseSecretInQuery(`?${query}`)));
});

test("a body of exactly the maximum size is accepted", async () => {
  const body = JSON.stringify({ x: "y".repeat(MAX_BODY_BYTES - 8) });
  assert.equal(Buffer.byteLength(body), MAX_BODY_BYTES);
  assert.ok("value" in (await readJsonBody(post(body))));
  await assert.rejects(readJsonBody(post(`${body} `)), code("body_too_large"));
});

test("a body that is not UTF-8, or nested without end, is invalid input, not an internal error", async () => {
  const notUtf8 = [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), Uint8Array.of(0xfe, 0xff, 0x00, 0x7b)];
  for (const body of [...notUtf8, "[".repeat(100_000)]) {
    const raw = await readJsonBody(post(body));
    assert.ok("problem" in raw && raw.problem.path === "body", String(body).slice(0, 10));
  }
});

const Schema = z.strictObject({
  name: text(5, 2),
  count: z.int().min(1).max(3),
  kind: z.enum(["one", "two"]),
  list: z.array(text(3)).min(1).max(2).optional(),
  flag: z.boolean().optional(),
});

/** What a refusal of this body would weigh, and what it says. */
function refusal(value: Record<string, unknown>) {
  try {
    parseInput(Schema, { value });
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === "invalid_input", String(error));
    const fieldErrors = error.details.fieldErrors ?? [];
    return { bytes: Buffer.byteLength(JSON.stringify({ message: error.message, fieldErrors })), fieldErrors };
  }
  return assert.fail("It was taken.");
}
const fieldErrors = (value: Record<string, unknown>) =>
  Object.fromEntries(refusal(value).fieldErrors.map(({ path, message }) => [path, message]));

test("every wrong field is reported with its path and the rule", () => {
  assert.deepEqual(fieldErrors({ name: "x", count: 4, kind: "three", list: [7, "long!"], flag: "yes", extra: 1 }), {
    name: "must have at least 2 characters",
    count: "must be at most 3",
    kind: "must be one or two",
    "list.0": "must be a string, in quotation marks",
    "list.1": "must have at most 3 characters",
    flag: "must be true or false",
    extra: "is not a property of this request, which has name, count, kind, list, flag",
  });
  assert.deepEqual(fieldErrors({ name: null, count: 1.5, list: ["a", "b", "c"] }), {
    name: "must be a string, not null",
    count: "must be an integer",
    kind: "is required",
    list: "must have at most 2 entries",
  });
  const right = { name: "ok", count: 1, kind: "one" };
  assert.deepEqual(fieldErrors({ ...right, count: 0, list: [] }), {
    count: "must be at least 1",
    list: "must have at least 1 entry",
  });
});

test("strings are checked in the form in which they are stored", () => {
  const parsed = parseInput(Schema, { value: { name: "  e\u0301\r\nx ", count: 1, kind: " one" } });
  assert.deepEqual(parsed, { name: "é\nx", count: 1, kind: "one" });
  assert.match(fieldErrors({ name: "a\u202eb", count: 1, kind: "one" }).name ?? "", /bidirectional/);
});

const children = (count: number, child: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, child]));
const nested = (levels: number, key: string, leaf: unknown): unknown =>
  levels === 0 ? leaf : { [key]: nested(levels - 1, key, leaf) };

test("no body causes a long answer, whatever its keys, values and depth", () => {
  const bodies: Record<string, Record<string, unknown>> = {
    "a long unknown key over many children": { ["k".repeat(87_000)]: children(6_000, "\u202a") },
    "a long key below a known one": { list: { ["k".repeat(170_000)]: children(6_000, "\u202a") } },
    "many bad children": { list: children(15_000, "\u202a") },
    "a long list of bad entries": { list: Array(100_000).fill(1) },
    "a list of bad entries just short enough to be checked": { list: Array(4_900).fill(1) },
    "long keys at every level": { list: nested(15, "\u0001".repeat(5_000), children(100, "\u202a")) },
    "half characters": children(2_000, "\ud83d"),
    "keys of half characters": Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [`${"\ud83d".repeat(100)}${n}`, 1]),
    ),
    "a deep nest": { list: nested(5_000, "x", 1) },
  };
  for (const [name, body] of Object.entries(bodies)) {
    const { bytes, fieldErrors } = refusal(body);
    assert.ok(bytes < 8_000, `${name}: ${bytes}`);
    assert.ok(fieldErrors.length > 0 && fieldErrors.length <= 50, name);
    for (const { path } of fieldErrors) assert.ok(path.length < 2_000 && path.isWellFormed());
  }
});

test("the value of an unknown property is not checked, and errors of known fields are still reported", () => {
  const { fieldErrors } = refusal({
    surprise: { deep: nested(100, "x", "\u202a") },
    name: "a\u202a",
    count: 9,
    kind: "one",
  });
  assert.deepEqual(
    fieldErrors.map(({ path, message }) => `${path} ${message}`),
    [
      "surprise is not a property of this request, which has name, count, kind, list, flag",
      "name must not contain bidirectional control characters",
      "count must be at most 3",
    ],
  );
});

test("the summary names the first five errors, the list more", () => {
  try {
    parseInput(z.strictObject({ list: z.array(text(3)) }), { value: { list: Array(20).fill("long!") } });
    assert.fail("It was taken.");
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.message.split("; ").length, 5);
    assert.equal(error.details.fieldErrors?.length, 20);
  }
});

test("the chunks of a body are copied together, and none is kept", async () => {
  const chunk = new Uint8Array(1);
  async function* chunks() {
    for (let count = 0; count < 3_000; count += 1) {
      chunk[0] = count;
      yield chunk;
    }
  }
  const whole = Uint8Array.from({ length: 3_000 }, (_, count) => count);
  assert.deepEqual(await readAtMost(chunks(), 3_000), whole);
  assert.equal(await readAtMost(chunks(), 2_999), undefined);
});
