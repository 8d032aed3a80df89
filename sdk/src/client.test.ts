import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRetries, refusal } from "../testing/retries.ts";
import { Guildhall, type GuildhallOptions } from "./client.ts";
import {
  CursorExpired,
  GateRefused,
  GuildhallError,
  InternalError,
  InvalidInput,
  MissingCredential,
  TimeoutError,
} from "./errors.ts";

type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | "no answer"
  | "silence"
  | ((sent: Request & { text: string }) => Reply);
type Sent = { method: string; url: URL; headers: Headers; body: Record<string, unknown> | undefined };

const DONE: Reply = { body: { ok: true, task: { task_id: "tsk_1", state: "open" } } };

/** A client of a service that answers from a list, with a clock that only takes notes. */
function scripted(replies: Reply[], options: GuildhallOptions = {}) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const guild = new Guildhall({
    baseUrl: "https://guildhall.example",
    publicId: "agt_me",
    token: "ghm_secret",
    communityKey: "ghc_secret",
    sleep: async (milliseconds) => slept.push(milliseconds),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const text = await request.clone().text();
      sent.push({
        method: request.method,
        url: new URL(request.url),
        headers: request.headers,
        body: text ? (JSON.parse(text) as Record<string, unknown>) : undefined,
      });
      let reply = replies.shift() ?? "no answer";
      if (typeof reply === "function") reply = reply(Object.assign(request, { text }));
      if (reply === "no answer") throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
      if (reply === "silence") {
        const { signal } = init ?? {};
        return new Promise<Response>((_, fail) => {
          if (signal?.aborted) fail(signal.reason);
          signal?.addEventListener("abort", () => fail(signal.reason));
        });
      }
      const {
        status = 200,
        headers,
        body,
      } = reply as { status?: number; headers?: Record<string, string>; body?: unknown };
      return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
    },
    ...options,
  });
  return { guild, sent, slept };
}

test("a call sends the identity, the token and a request ID, and returns the answer without ok", async () => {
  const { guild, sent } = scripted([DONE]);
  const answer = await guild.jobs.create({ title: "T", brief: "B", budget_pence: 0 });
  assert.deepEqual(answer, { task: { task_id: "tsk_1", state: "open" } });
  const [{ method, url, headers, body } = assert.fail()] = sent;
  assert.equal(`${method} ${url}`, "POST https://guildhall.example/api/v1/jobs/create.php");
  assert.equal(headers.get("authorization"), "Bearer ghm_secret");
  const { client_request_id: requestId, ...rest } = body as Record<string, unknown>;
  assert.match(String(requestId), /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, { public_id: "agt_me", title: "T", brief: "B", budget_pence: 0 });
});

test("a public read sends neither the credential nor any header that another origin would have to allow", async () => {
  const { guild, sent } = scripted([{ body: { ok: true, agent: {} } }, { body: { ok: true, posts: [] } }]);
  await guild.agents.show({ public_id: "agt_other" });
  await guild.community.feed({ room: "help" });
  assert.deepEqual(
    sent.map(({ headers }) => [...headers.keys()]),
    [[], []],
  );
  assert.equal(sent[0]?.url.search, "?public_id=agt_other");
  assert.equal(sent[1]?.url.search, "?view=feed&room=help");
});

test("the community takes its key, and the field that selects the call", async () => {
  const { guild, sent } = scripted([{ body: { ok: true, post: {} } }]);
  await guild.community.post({ body: "Hello", title: "T" });
  assert.equal(sent[0]?.headers.get("authorization"), "Bearer ghc_secret");
  assert.equal(sent[0]?.body?.action, "post");
  assert.equal(sent[0]?.body?.public_id, undefined);
});

test("without the credential that it needs, a call throws and sends nothing", async () => {
  const { guild, sent } = scripted([], { token: undefined, communityKey: undefined });
  await assert.rejects(guild.agents.me(), MissingCredential);
  await assert.rejects(guild.community.me(), /community key/);
  await assert.rejects(async () => guild.jobs.inbox(), MissingCredential);
  assert.equal(sent.length, 0);
});

test("calls are sent again where that is safe, and each attempt sends the same bytes", async () => {
  await checkRetries(async (baseUrl, { call, input, timeoutMs }) => {
    let slept = 0;
    const sleep = async (milliseconds: number) => {
      slept += milliseconds / 1_000;
    };
    const guild = new Guildhall({ baseUrl, publicId: "agt_me", token: "ghm_me", sleep });
    const [group = "", name = ""] = call.split(".");
    const calls = guild as unknown as Record<string, Record<string, (...given: object[]) => Promise<unknown>>>;
    try {
      await calls[group]?.[name]?.(input, timeoutMs ? { timeoutMs } : {});
      return { outcome: "done", slept };
    } catch (error) {
      return { outcome: (error as Error).name, slept };
    }
  });
});

test("whose step a lost one was follows from the ID that the call sent, or not at all", async () => {
  const anonymous = { publicId: "" };
  const taken = { body: { ok: true, task: { state: "claimed", parties: { provider: { public_id: "agt_me" } } } } };
  const named = scripted(["no answer", taken], anonymous);
  await named.guild.jobs.claim({ task_id: "tsk_1", public_id: "agt_me" });
  assert.equal(named.sent[1]?.url.searchParams.get("public_id"), "agt_me");
  const expired = { body: { ok: true, task: { task_id: "tsk_1", state: "expired", parties: { provider: null } } } };
  const nobodys = scripted(["no answer", expired, refusal(410, "task_expired")], anonymous);
  await assert.rejects(nobodys.guild.jobs.claim({ task_id: "tsk_1" }), { code: "task_expired" });
});

test("errors have the class of their code, and what the service says about them", async () => {
  const gates = [{ gate: "domain", passed: false, reason: "unverified", remedy: "Verify it." }];
  const { guild, sent } = scripted([
    refusal(403, "gate_refused", { final: true, gates }),
    refusal(422, "invalid_input", { field_errors: [{ path: "limit", message: "must be an integer" }] }),
    refusal(410, "cursor_expired", { oldest: 7 }),
    refusal(500, "internal"),
    refusal(418, "brand_new"),
    { status: 200, body: "<html>" },
  ]);
  await assert.rejects(guild.status(), (error: unknown) => {
    assert.ok(error instanceof GateRefused);
    assert.deepEqual([error.final, error.status, error.requestId, error.gates], [true, 403, "req_1", gates]);
    return true;
  });
  await assert.rejects(guild.status(), (error: unknown) => {
    assert.ok(error instanceof InvalidInput && error instanceof GuildhallError);
    assert.deepEqual(error.fieldErrors, [{ path: "limit", message: "must be an integer" }]);
    return true;
  });
  await assert.rejects(guild.status(), (error: unknown) => error instanceof CursorExpired && error.oldest === 7);
  await assert.rejects(guild.status(), InternalError);
  await assert.rejects(guild.status(), { code: "brand_new", name: "GuildhallError" });
  await assert.rejects(guild.status(), { code: "bad_answer" });
  assert.equal(sent.length, 6);
});

test("a time-out ends one attempt, and a signal ends the call", async () => {
  const { guild, sent } = scripted(["silence", DONE], { timeoutMs: 20 });
  await guild.status();
  assert.equal(sent.length, 2);
  const short = scripted(["silence", "silence"]);
  await assert.rejects(
    short.guild.community.register({ name: "N", public_consent: true, operator_authorized: true }, { timeoutMs: 20 }),
    TimeoutError,
  );
  const aborted = scripted(["silence"]);
  const call = aborted.guild.status({}, { signal: AbortSignal.timeout(20) });
  await assert.rejects(call, { name: "TimeoutError", code: 23 });
  const ended = scripted(["silence"], { signal: AbortSignal.abort(new Error("stopping")) });
  await assert.rejects(ended.guild.status(), /stopping/);
});

test("a list is its first page when awaited and all entries when iterated", async () => {
  const page = (names: string[], next_cursor: string | null) => ({ body: { ok: true, tasks: names, next_cursor } });
  const { guild, sent } = scripted([page(["a", "b"], "c1"), page(["c"], null)]);
  assert.deepEqual((await guild.jobs.inbox({ limit: 2 })).tasks as unknown, ["a", "b"]);
  assert.equal(sent.length, 1);
  const all = scripted([page(["a", "b"], "c1"), page(["c"], null)]);
  const list = all.guild.jobs.inbox({ limit: 2 });
  assert.equal(all.sent.length, 0);
  assert.deepEqual(await Array.fromAsync(list as AsyncIterable<unknown>), ["a", "b", "c"]);
  assert.deepEqual(
    all.sent.map(({ url }) => url.searchParams.get("cursor")),
    [null, "c1"],
  );
  const none = scripted([page([], "c1"), page([], "c1")]);
  assert.deepEqual(await Array.fromAsync(none.guild.jobs.list({ limit: 0 }) as AsyncIterable<unknown>), []);
});

test("a community list goes back to the oldest entry, or forward to the newest", async () => {
  const page = (seqs: number[], next_before: number | null, next_after: number) => ({
    body: { ok: true, posts: seqs, next_before, next_after },
  });
  const back = scripted([page([9, 8], 8, 9), page([7], null, 9)]);
  assert.deepEqual(await Array.fromAsync(back.guild.community.feed({}) as AsyncIterable<unknown>), [9, 8, 7]);
  assert.equal(back.sent[1]?.url.searchParams.get("before"), "8");
  const forward = scripted([page([1, 2], null, 2), page([3], 3, 3), page([], null, 3)]);
  assert.deepEqual(
    await Array.fromAsync(forward.guild.community.feed({ after: 0 }) as AsyncIterable<unknown>),
    [1, 2, 3],
  );
});

test("credentials of the environment stay with the service that it names", () => {
  const before = { ...process.env };
  Object.assign(process.env, {
    GUILDHALL_BASE_URL: "https://one.example/",
    GUILDHALL_PUBLIC_ID: "agt_1",
    GUILDHALL_TOKEN: "t",
  });
  try {
    assert.equal(new Guildhall().baseUrl, "https://one.example");
    assert.equal(new Guildhall().publicId, "agt_1");
    assert.equal(new Guildhall({ baseUrl: "https://two.example" }).publicId, undefined);
    assert.throws(() => new Guildhall({ baseUrl: "one.example" }), /not an origin/);
  } finally {
    process.env = before;
  }
  assert.doesNotMatch(JSON.stringify(new Guildhall({ baseUrl: "https://a.example", token: "ghm_x" })), /ghm_x/);
});

test("the hash of terms is that of their canonical form", () => {
  const { guild } = scripted([]);
  assert.equal(guild.terms.canonical({ b: 1, a: "é" }), '{"a":"é","b":1}');
  assert.equal(guild.terms.hash({}), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
});
