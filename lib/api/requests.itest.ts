import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { hold } from "#lib/admin/hold.ts";
import { publishedInput } from "#lib/kernel/endpoint.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type CallOptions, call, testService } from "#testing/client.ts";
import { joined, member } from "#testing/community.ts";
import { answerTo, type Callers, callersOf, fieldsBeside, labelOf } from "#testing/every-endpoint.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { browserHeaders, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { perform, taskAt } from "#testing/workflow.ts";
import { MAX_BODY_BYTES } from "./input.ts";
import { ADMIN_ENDPOINTS, ADMIN_PATHS, ENDPOINTS, methodsOf } from "./registry.ts";

let agent: TestAgent;
let callers: Callers;
let administrator: TestOwner;
testService({}, async () => {
  agent = await verifiedAgent();
  callers = { agent, member: await joined(agent), owned: await member() };
  administrator = await signedInOwner({ role: "administrator" });
});

const posts = [...new Set(ENDPOINTS.filter(({ method }) => method === "POST").map(({ path }) => path))];
// With an identity's token a request passes authentication here and reaches input validation; elsewhere it is refused before.
const forIdentities = ENDPOINTS.filter(({ auth }) => ["public", "optional", "service", "bearer"].includes(auth));
const gets = forIdentities.filter(({ method }) => method === "GET");

/** The code of a POST with a good credential and this body, sent as it is. */
async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  const options: CallOptions = { token: agent.token, body, headers: { "Idempotency-Key": newId("req"), ...headers } };
  return (await call("POST", path, options)).error?.code;
}

for (const path of new Set([...ENDPOINTS.map(({ path }) => path), ...ADMIN_PATHS])) {
  test(`${path} lists its methods in a 405`, async () => {
    const { GET: get, POST: post } = methodsOf(path) ?? {};
    const allow = [...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : []), "OPTIONS"].join(", ");
    const wrong = ["PUT", "PATCH", "DELETE", ...(get ? [] : ["GET", "HEAD"]), ...(post ? [] : ["POST"])];
    // Administration paths exist only for administrators.
    const own = ADMIN_PATHS.has(path) ? { headers: { Cookie: administrator.cookie } } : {};
    for (const method of wrong) {
      const { status, error, headers } = await call(method, path, method === "POST" ? { ...own, body: {} } : own);
      assert.deepEqual([status, error?.code, headers.get("Allow")], [405, "method_not_allowed", allow], method);
    }
    const preflight = await call("OPTIONS", path, own);
    assert.deepEqual([preflight.status, preflight.headers.get("Allow")], [204, allow]);
  });
}

for (const path of posts) {
  test(`${path} takes JSON of bounded size and nothing else`, () =>
    changesNothing(path, async () => {
      const body = JSON.stringify({ public_id: agent.publicId });
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json+x"])
        assert.equal(await post(path, body, { "Content-Type": type }), "unsupported_media_type", type);
      assert.equal(await post(path, JSON.stringify({ x: "y".repeat(MAX_BODY_BYTES) })), "body_too_large");
    }));
}

test("a body is JSON by its media type, whatever the parameters and the case", async () => {
  for (const type of ["Application/JSON", "application/json; charset=utf-8", " application/json "])
    assert.equal(await post("/api/v1/jobs/claim.php", "{}", { "Content-Type": type }), "invalid_input", type);
});

for (const path of new Set(forIdentities.filter(({ method }) => method === "POST").map(({ path }) => path))) {
  test(`${path} takes an object whose every property it knows`, () =>
    changesNothing(path, async () => {
      const body = JSON.stringify({ public_id: agent.publicId });
      for (const broken of [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"x"',
        `${body}x`,
        "\u0000",
        body.replace("}", ',"surprise":1}'),
      ])
        assert.equal(await post(path, broken), "invalid_input", JSON.stringify(broken));
    }));
}

for (const endpoint of forIdentities.filter(({ method, selector }) => method === "POST" && !selector)) {
  test(`POST ${endpoint.path} names every property that it does not know`, async () => {
    const body = '{"surprise": 1, "__proto__": {"public_id": "x"}, "constructor": 2}';
    const { error } = await call("POST", endpoint.path, { token: agent.token, body });
    const unknown = error?.field_errors?.filter(({ message }) =>
      message.startsWith("is not a property of this request"),
    );
    assert.deepEqual(unknown?.map(({ path }) => path).sort(), ["__proto__", "constructor", "surprise"]);
  });
}

for (const { path, input, selector } of gets.filter(({ selector }) => !selector)) {
  test(`GET ${path} ignores parameters that it does not know, and refuses one that is given twice`, async () => {
    const query = { public_id: agent.publicId };
    const plain = await call("GET", path, { token: agent.token, query });
    const more = await call("GET", path, {
      token: agent.token,
      query: { ...query, utm_source: "x", constructor: "1" },
    });
    assert.equal(more.status, plain.status);
    for (const name of Object.keys(input.shape)) {
      const twice = `${path}?public_id=${agent.publicId}&${name}=1&${name}=1`;
      const { status, error } = await call("GET", twice, { token: agent.token });
      assert.equal(status, 422, name);
      assert.ok(
        error?.field_errors?.some((wrong) => wrong.path === name || wrong.path === "public_id"),
        selector?.value,
      );
    }
  });
}

test("every answer has a request ID and does not name the framework", async () => {
  const answers = [
    await call("GET", "/api/v1/status.php"),
    await call("GET", "/api/v1/nowhere.php"),
    await call("PUT", "/api/v1/status.php"),
    await call("OPTIONS", "/api/v1/status.php"),
    await call("POST", "/api/v1/jobs/claim.php", { body: "{" }),
    await callAs(agent, "GET", "/api/v1/agents/me.php"),
  ];
  const ids = answers.map(({ headers }) => headers.get("X-Request-Id"));
  for (const id of ids) assert.match(id ?? "", /^req_[1-9A-HJ-NP-Za-km-z]{22}$/);
  assert.equal(new Set(ids).size, ids.length);
});

test("answers that depend on a credential are not cached; public ones may be read from any site, and revalidated", async () => {
  const mine = await callAs(agent, "GET", "/api/v1/jobs/mine.php");
  assert.equal(mine.headers.get("Cache-Control"), "no-store");
  assert.equal(mine.headers.get("Access-Control-Allow-Origin"), null);
  const list = (known?: string) =>
    call("GET", "/api/v1/jobs/list.php", known ? { headers: { "If-None-Match": known } } : {});
  const { headers } = await list();
  assert.equal(headers.get("Access-Control-Allow-Origin"), "*");
  assert.equal(headers.get("Access-Control-Allow-Credentials"), null);
  assert.equal(headers.get("Cache-Control"), "public, no-cache");
  const tag = headers.get("ETag") ?? "";
  assert.match(tag, /^"[\w-]+"$/);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const again = await list(known);
    assert.deepEqual([again.status, again.body, again.headers.get("ETag")], [304, undefined, tag], known);
  }
  assert.equal((await list('"other"')).status, 200);
  await taskAt("open", { requester: agent, provider: agent });
  const changed = await list(tag);
  assert.deepEqual([changed.status, Object.keys(changed.body ?? {}).slice(0, 2)], [200, ["ok", "content_trust"]]);
});

test("of two reasons for an error, the earlier check decides", async () => {
  const requester = await verifiedAgent();
  const [listed, unlisted] = [
    await taskAt("claimed", { requester, provider: agent }),
    await taskAt("claimed", { requester, provider: agent }, { task: { visibility: "unlisted" } }),
  ];
  const claim = "/api/v1/jobs/claim.php";
  const stranger = await verifiedAgent();
  const as = (body: object, options: CallOptions = {}) =>
    call("POST", claim, { token: stranger.token, body, ...options });
  const { publicId: public_id } = stranger;
  const code = async (answer: ReturnType<typeof call>) => (await answer).error?.code;

  assert.equal(
    await code(call("POST", claim, { body: "{}", headers: { "Content-Type": "text/plain" } })),
    "unsupported_media_type",
  );
  assert.equal(
    await code(call("POST", claim, { body: JSON.stringify({ x: "y".repeat(MAX_BODY_BYTES) }) })),
    "body_too_large",
  );
  assert.equal(await code(call("POST", claim, { query: { t: stranger.token }, body: {} })), "invalid_input");
  assert.equal(await code(call("POST", claim, { body: "{" })), "invalid_credential");
  assert.equal(await code(call("POST", claim, { body: {} })), "invalid_credential");
  assert.equal(await code(as({ public_id, task_id: unlisted.taskId, x: 1 })), "invalid_input");
  assert.equal(await code(perform(stranger, "release", unlisted)), "not_found");
  assert.equal(await code(perform(stranger, "start", listed)), "forbidden");
  assert.equal(await code(perform(stranger, "propose", listed, { amount_pence: 99_999 })), "forbidden");
  assert.equal(
    await code(
      perform(requester, "propose", await taskAt("open", { requester, provider: agent }), { amount_pence: 1_001 }),
    ),
    "invalid_input",
  );

  const accepted = await taskAt("accepted", { requester, provider: agent });
  await hold(commandLineContext("test"), { subjectId: agent.publicId, reason: "test" });
  assert.equal(await code(perform(agent, "start", listed)), "state_conflict");
  assert.equal(await code(perform(agent, "start", accepted)), "gate_refused");
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
/** A tree for which a body is refused as a whole, before any field is looked at. */
const TOO_LARGE = /must not be nested deeper than|must not contain more than \d+ values/;
const place = (name: string) => `the place of ${name}`;

test("whatever a field holds, no endpoint fails, and nothing is added to any object's prototype", async () => {
  for (const endpoint of [...ENDPOINTS, ...ADMIN_ENDPOINTS].filter(({ method }) => method === "POST")) {
    const [first] = callersOf(callers, endpoint.auth);
    assert.ok(first, labelOf(endpoint));
    const isAdministrative = endpoint.auth === "administrator";
    const caller = isAdministrative ? { ...first, headers: browserHeaders(administrator) } : first;
    const tryIn = async (names: string[], what: string, value: string) => {
      const places = Object.fromEntries(names.map((name) => [name, place(name)]));
      const fields = { ...fieldsBeside(endpoint, names[0] ?? "", caller), ...places };
      const answer = await answerTo(endpoint, caller, fields, (body) =>
        names.reduce((text, name) => text.replace(JSON.stringify(place(name)), value), body),
      );
      assert.match(answer, /^[234]/, `${labelOf(endpoint)} ${names}: ${what}: ${answer.slice(0, 1_500)}`);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined, `${labelOf(endpoint)} ${names}: ${what}`);
      return answer;
    };
    const names = Object.keys(publishedInput(endpoint).shape);
    for (const [what, value] of Object.entries(VALUES)) {
      // In all fields at once; a field that is then not named as wrong is tried alone.
      const together = await tryIn(names, what, value);
      if (TOO_LARGE.test(together)) continue;
      for (const name of names) if (!new RegExp(`"path":"${name}[".]`).test(together)) await tryIn([name], what, value);
    }
  }
});
