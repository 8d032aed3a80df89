import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runGuildhall } from "../../../testing/command-line.ts";
import { listening } from "../../testing/listening.ts";
import { type Call, oneTaskVariables, openOneTask } from "../../testing/one-task.ts";

// The provider that forwards orders to a server of the operator's own.

const ends: (() => unknown)[] = [];
const folder = mkdtempSync(join(tmpdir(), "guildhall-forward-"));
after(() => {
  for (const end of ends) end();
  rmSync(folder, { recursive: true, force: true });
});

type Asked = { body: Record<string, unknown>; headers: IncomingMessage["headers"] };
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | "silence";

/** A server of the operator's own that answers each request as it is told. */
async function openServer(answer: (asked: Asked, count: number) => Answer) {
  const asked: Asked[] = [];
  const { url, close } = await listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const each = { body: JSON.parse(text) as Record<string, unknown>, headers: request.headers };
    asked.push(each);
    const given = answer(each, asked.length);
    if (given === "silence") return;
    const { status = 200, headers = {}, body } = given;
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  ends.push(close);
  return { url: `${url}/agent`, asked, close };
}

/** Runs a provider for one order, until a result was submitted or it says why there is none. */
async function provide(flags: string[], { name = randomUUID(), variables = {}, looks = 2 } = {}) {
  const stop = new AbortController();
  const isOver = (calls: Call[]) =>
    calls.some(({ path }) => path === "jobs/submit.php") ||
    calls.filter(({ path }) => path === "jobs/inbox.php").length > looks;
  const service = await openOneTask(
    (_, calls) => {
      if (isOver(calls)) stop.abort();
    },
    (end) => ends.push(end),
  );
  const env = { ...oneTaskVariables(service.url, join(folder, name)), ...variables };
  const run = await runGuildhall(["provider", "--interval", "1", ...flags], env, stop.signal);
  assert.equal(run.code, 0, run.err);
  const said = run.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; reason?: string });
  const { body } = service.calls.find(({ path }) => path === "jobs/submit.php") ?? {};
  return { result: body?.result, reasons: said.flatMap(({ reason }) => reason ?? []), said };
}

const rpc = (result: unknown): Answer => ({ body: { jsonrpc: "2.0", id: 1, result } });
const rpcError = (code: number, message: string): Answer => ({
  body: { jsonrpc: "2.0", id: 1, error: { code, message } },
});
const task = (state: string, more: object = {}) => ({ kind: "task", id: "t-1", status: { state }, ...more });
const artifacts = [{ artifactId: "a", parts: [{ kind: "text", text: "good" }] }];

test("--http posts the order, with the operator's credential, and submits the body of the answer", async () => {
  const server = await openServer(() => ({ body: " good\n" }));
  const variables = { PROVIDER_AUTHORIZATION: "Bearer own" };
  const { result } = await provide(["--http", server.url], { variables });
  assert.equal(result, "good");
  assert.deepEqual(server.asked[0]?.body, { task_id: "tsk_1", title: "T", brief: "B", terms: {} });
  assert.equal(server.asked[0]?.headers.authorization, "Bearer own");
  assert.equal(server.asked.length, 1);
});

test("--a2a sends the order as a message, polls the task, and submits its artifacts", async () => {
  const server = await openServer(({ body }, count) => {
    if (body.method === "message/send") return rpc(task("submitted"));
    return rpc(
      count < 3 ? task("working") : task("completed", { artifacts: [...artifacts, { parts: [{ data: { n: 1 } }] }] }),
    );
  });
  const { said } = await provide(["--a2a", server.url]);
  assert.ok(said.some(({ event }) => event === "computed"));
  const calls = server.asked.map(({ body }) => body as { method: string; params: { id?: string; message?: object } });
  const [sent, ...polls] = calls;
  assert.equal(sent?.method, "message/send");
  const order = { task_id: "tsk_1", title: "T", brief: "B", terms: {} };
  const { messageId, ...message } = (sent?.params.message ?? {}) as Record<string, unknown>;
  assert.match(String(messageId), /^tsk_1-[0-9a-f]{16}$/);
  const parts = [
    { kind: "text", text: "B" },
    { kind: "data", data: order },
  ];
  assert.deepEqual(message, { kind: "message", role: "user", parts });
  assert.deepEqual([...new Set(polls.map(({ method, params }) => `${method} ${params.id}`))], ["tasks/get t-1"]);
});

test("an agent of A2A 1.0 is asked in its own form once it does not know the older one", async () => {
  const server = await openServer(({ body, headers }) => {
    if (headers["a2a-version"] !== "1.0") return rpcError(-32601, "Method not found");
    if (body.method === "SendMessage") return rpc({ task: { id: "t-1", status: { state: "TASK_STATE_WORKING" } } });
    return rpc({ id: "t-1", status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: "good" }] }] });
  });
  assert.equal((await provide(["--a2a", server.url])).result, "good");
  assert.deepEqual(
    server.asked.map(({ body }) => body.method),
    ["message/send", "SendMessage", "GetTask"],
  );
});

test("a message in place of a task is the result, and so is what a completed task says without artifacts", async () => {
  const parts = [{ kind: "text", text: "good" }];
  for (const result of [
    { kind: "message", parts },
    task("completed", { status: { state: "completed", message: { parts } } }),
  ])
    assert.equal((await provide(["--a2a", (await openServer(() => rpc(result))).url])).result, "good");
});

test("a restarted provider goes on with the agent's task, and sends the order again only if the agent has lost it", async () => {
  for (const [name, isLost] of [
    ["kept", false],
    ["lost", true],
  ] as const) {
    let isFirst = true;
    const server = await openServer(({ body }) => {
      if (body.method === "message/send") return rpc(isFirst ? task("working") : task("completed", { artifacts }));
      if (isFirst) return "silence";
      return isLost ? rpcError(-32001, "Task not found") : rpc(task("completed", { artifacts }));
    });
    const stop = new AbortController();
    const service = await openOneTask(
      () => undefined,
      (end) => ends.push(end),
    );
    const env = oneTaskVariables(service.url, join(folder, name));
    const running = runGuildhall(["provider", "--interval", "1", "--a2a", server.url], env, stop.signal);
    while (server.asked.length < 2) await new Promise((done) => setTimeout(done, 20));
    stop.abort();
    await running;
    isFirst = false;
    server.asked.length = 0;
    // The state belongs to a service, which has another port now.
    const again = await openOneTask(
      (_, calls) => {
        if (calls.some(({ path }) => path === "jobs/submit.php")) second.abort();
      },
      (end) => ends.push(end),
    );
    const second = new AbortController();
    const states = join(folder, name, "guildhall");
    const [file = ""] = readdirSync(states);
    renameSync(join(states, file), join(states, `provider-${new URL(again.url).host.replace(":", "_")}-agt_me.json`));
    await runGuildhall(
      ["provider", "--interval", "1", "--a2a", server.url],
      oneTaskVariables(again.url, join(folder, name)),
      second.signal,
    );
    assert.deepEqual(
      server.asked.map(({ body }) => body.method),
      isLost ? ["tasks/get", "message/send"] : ["tasks/get"],
      name,
    );
  }
});

const LONG = "x".repeat(50_001);
const FAILURES: [name: string, flag: string, answer: Answer, reason: RegExp][] = [
  ["an error", "--http", { status: 500 }, /answered 500: look into its log/],
  ["a wrong path", "--http", { status: 404 }, /answered 404: check the path/],
  ["a refused credential", "--http", { status: 401 }, /refused with 401: set PROVIDER_AUTHORIZATION/],
  [
    "a redirect",
    "--http",
    { status: 302, headers: { Location: "http://127.0.0.1:1/" } },
    /redirects to http:\/\/127\.0\.0\.1:1\/: give that/,
  ],
  ["nothing", "--http", { body: " " }, /answered with nothing/],
  ["a result that is too long", "--http", { body: LONG }, /more than 50000 characters/],
  ["an endless answer", "--http", { body: "x".repeat(1_000_001) }, /more than 1000000 bytes/],
  ["silence", "--http", "silence", /did not finish within 1 s: raise --timeout/],
  ["a page", "--a2a", { body: "<h1>Hello</h1>" }, /does not answer with JSON: give the address in the url field/],
  ["JSON of another kind", "--a2a", { body: { hello: 1 } }, /does not speak JSON-RPC/],
  ["an error", "--a2a", rpcError(-32603, "Internal \u001b[31merror"), /error -32603: Internal {2}\[31merror/],
  [
    "a failed task",
    "--a2a",
    rpc(task("failed", { status: { state: "failed", message: { parts: [{ text: "no idea" }] } } })),
    /ended as failed: no idea/,
  ],
  ["a rejected task", "--a2a", rpc(task("rejected")), /ended as rejected/],
  ["a question", "--a2a", rpc(task("input-required")), /asks for input, which nobody gives/],
  ["an unknown state", "--a2a", rpc(task("dreaming")), /unknown state "dreaming"/],
  [
    "a file",
    "--a2a",
    rpc(task("completed", { artifacts: [{ parts: [{ kind: "file", file: { bytes: "AA==" } }] }] })),
    /answered with a file/,
  ],
  ["a task without a result", "--a2a", rpc(task("completed")), /without an artifact or a message/],
  ["work without end", "--a2a", rpc(task("working")), /within 1 s, so its task was cancelled/],
];
test("whatever else the agent answers, nothing is submitted, the order is sent once, and the operator learns what to do", async () => {
  const run = async ([name, flag, answer, reason]: (typeof FAILURES)[number]) => {
    const server = await openServer(() => answer);
    const { result, reasons } = await provide([flag, server.url, "--timeout", "1"]);
    assert.equal(result, undefined, name);
    assert.match(reasons.join("\n"), reason, name);
    const methods = server.asked.map(({ body }) => body.method);
    assert.equal(methods.filter((method) => method === undefined || method === "message/send").length, 1, name);
    if (name === "work without end") assert.equal(methods.at(-1), "tasks/cancel");
  };
  await Promise.all(FAILURES.map(run));
});

test("while the agent is down the order waits, and it is sent when the agent is back", async () => {
  const server = await openServer((_, count) => (count === 1 ? { status: 503 } : { body: "good" }));
  const { result, reasons } = await provide(["--http", server.url], { looks: 4 });
  assert.equal(result, "good");
  assert.match(reasons.join("\n"), /answered 503/);
  const closed = await openServer(() => ({}));
  closed.close();
  const { result: none, reasons: down } = await provide(["--http", closed.url]);
  assert.equal(none, undefined);
  assert.match(down.join("\n"), /cannot be reached \(ECONNREFUSED\): start it, or correct the address/);
});

test("what does the work is named once, as an address without credentials", async () => {
  for (const [words, problem] of [
    [[], /What does the work\? Give one of/],
    [["--a2a", "http://localhost/", "--", "true"], /Give one of/],
    [["--a2a", "http://localhost/", "--http", "http://localhost/"], /Give one of/],
    [["--a2a", "localhost"], /--a2a must be the address of your own agent/],
    [["--http", "file:///etc/passwd"], /--http must be the address/],
    [["--http", "http://me:secret@localhost/"], /takes no credentials/],
    [["--http", "http://localhost/", "--timeout", "0"], /--timeout must be from 1/],
    [["--timeout", "5", "--", "true"], /--timeout needs/],
  ] as const) {
    const { code, err } = await runGuildhall(["provider", ...words], oneTaskVariables("http://127.0.0.1:1", folder));
    assert.equal(code, 2, words.join(" "));
    assert.match(err, problem);
  }
});
