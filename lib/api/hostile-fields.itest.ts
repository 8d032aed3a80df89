import assert from "node:assert/strict";
import { test } from "node:test";
import { publishedInput } from "#lib/kernel/endpoint.ts";
import { signedInAdministrator } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { joined, member } from "#testing/community.ts";
import { answerTo, type Callers, callersOf, fieldsBeside, labelOf } from "#testing/every-endpoint.ts";
import { verifiedAgent } from "#testing/factories.ts";
import { browserHeaders } from "#testing/owner.ts";
import { ADMIN_ENDPOINTS, ENDPOINTS } from "./registry.ts";

let callers: Callers;
let administrator: Record<string, string>;
testService({}, async () => {
  const agent = await verifiedAgent();
  callers = { agent, member: await joined(agent), owned: await member() };
  administrator = browserHeaders(await signedInAdministrator());
});

const nested = (depth: number, [open, close]: [string, string]) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const LISTS = nested(14_000, ["[", "]"]);
const OBJECTS = nested(5_000, ['{"a":', "}"]);
const ZEROS = Array(6_000).fill(0).join();
const schema = (text: string) => `[{"kind":"json_schema","schema":${text}}]`;
const PROTOTYPES = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

/** JSON that JavaScript mistakes for something else, or walks until its stack ends. */
const VALUES: Record<string, string> = {
  "no text": '{"toString":1,"valueOf":1}',
  "a list of no text": '[{"toString":null}]',
  "a prototype": PROTOTYPES,
  "a list of prototypes": `[${PROTOTYPES},["__proto__","constructor"]]`,
  "lists in lists": LISTS,
  "objects in objects": OBJECTS,
  "many values, then lists in lists": `[${ZEROS},${LISTS}]`,
  "a schema of lists in lists": schema(`{"x-a":${LISTS}}`),
  "a schema of schemas": schema(nested(4_000, ['{"not":', "}"])),
  "a schema with many values, then lists": schema(`{"enum":[${ZEROS}],"x-a":${LISTS}}`),
  "a schema with a prototype": schema(PROTOTYPES),
  "half a surrogate pair": '"\\ud800"',
  "a number beyond all": "1e999",
};
const PLACE = "the place of the value";

test("whatever a field holds, no endpoint fails, and nothing is added to any object's prototype", async () => {
  for (const endpoint of [...ENDPOINTS, ...ADMIN_ENDPOINTS].filter(({ method }) => method === "POST")) {
    const [first] = callersOf(callers, endpoint.auth);
    assert.ok(first, labelOf(endpoint));
    const caller = endpoint.auth === "administrator" ? { ...first, headers: administrator } : first;
    for (const name of Object.keys(publishedInput(endpoint).shape))
      for (const [what, value] of Object.entries(VALUES)) {
        const fields = { ...fieldsBeside(endpoint, name, caller), [name]: PLACE };
        const answer = await answerTo(endpoint, caller, fields, (body) => body.replace(JSON.stringify(PLACE), value));
        assert.match(answer, /^[234]/, `${labelOf(endpoint)} ${name}: ${what}: ${answer.slice(0, 1_500)}`);
        assert.equal(({} as { polluted?: unknown }).polluted, undefined, `${labelOf(endpoint)} ${name}: ${what}`);
      }
  }
});
