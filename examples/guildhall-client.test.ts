import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContractWire } from "#lib/contracts/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { Contract, Settlement, Task } from "./guildhall-client.ts";
import { createClient, GuildhallError, pauseSeconds } from "./guildhall-client.ts";

type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | "no answer";
type Sent = { url: URL; method: string; headers: Headers; body: string };

const REFUSED = { ok: false, request_id: "req_1" };
const busy = (retryAfter: string): Reply => ({
  status: 429,
  headers: { "Retry-After": retryAfter },
  body: { ...REFUSED, error: { code: "rate_limited", message: "Too many calls.", retryable: true } },
});
const away: Reply = {
  status: 503,
  headers: { "Retry-After": "2" },
  body: { ...REFUSED, error: { code: "temporarily_unavailable", message: "Away.", retryable: true } },
};
const done: Reply = { body: { ok: true, task: {} } };

/** A client of a service that answers from a list, with a clock that only takes notes. */
function scripted(...replies: Reply[]) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const client = createClient({
    baseUrl: "https://guildhall.example",
    credential: { publicId: "agt_me", token: "secret" },
    random: () => 0.5,
    sleep: async (seconds) => slept.push(seconds),
    fetch: async (input, init) => {
      sent.push({
        url: new URL(String(input)),
        method: String(init?.method),
        headers: new Headers(init?.headers),
        body: String(init?.body),
      });
      const reply = replies.shift() ?? "no answer";
      if (reply === "no answer") throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
      const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
      return new Response(text, { status: reply.status ?? 200, headers: reply.headers });
    },
  });
  return { client, sent, slept };
}

test("a call carries the token as bearer and the identity's public_id", async () => {
  const { client, sent } = scripted(done, done);
  await client.get("jobs/show.php", { task_id: "tsk_1" });
  await client.post("jobs/claim.php", { task_id: "tsk_1" });
  const [read, write] = sent;
  assert.equal(read?.url.href, "https://guildhall.example/api/v1/jobs/show.php?public_id=agt_me&task_id=tsk_1");
  assert.equal(read?.headers.get("authorization"), "Bearer secret");
  assert.equal(write?.headers.get("content-type"), "application/json");
  assert.deepEqual(JSON.parse(write?.body ?? ""), { public_id: "agt_me", task_id: "tsk_1" });
});

test("after 429 any call is sent again, never before Retry-After", async () => {
  const { client, sent, slept } = scripted(busy("7"), done);
  await client.post("jobs/submit.php", { task_id: "tsk_1", result: "x" });
  assert.equal(sent.length, 2);
  assert.ok(slept.length === 1 && (slept[0] as number) >= 7);
});

test("a wait of more than two minutes is left to the caller", async () => {
  const { client, sent } = scripted(busy("3000"), done);
  await assert.rejects(client.get("status.php"), { code: "rate_limited", retryAfterSeconds: 3000 });
  assert.equal(sent.length, 1);
});

test("a write whose outcome is unknown is not sent again", async () => {
  for (const reply of ["no answer", away] as const) {
    const { client, sent } = scripted(reply, done);
    await assert.rejects(client.post("jobs/start.php", { task_id: "tsk_1" }), { retryable: true });
    assert.equal(sent.length, 1);
  }
});

test("a write with a key is sent again with the same key and the same bytes", async () => {
  const { client, sent } = scripted("no answer", away, done);
  await client.post("payments/intent.php", { contract_id: "con_1" }, { idempotencyKey: "attempt-1" });
  assert.deepEqual(
    sent.map(({ headers }) => headers.get("idempotency-key")),
    ["attempt-1", "attempt-1", "attempt-1"],
  );
  assert.equal(new Set(sent.map(({ body }) => body)).size, 1);

  const created = scripted("no answer", done);
  await created.client.post("jobs/create.php", { client_request_id: "task-1" });
  assert.equal(created.sent.length, 2);
});

test("reads and repeatable writes are sent again after a lost answer, until the attempts are used up", async () => {
  const read = scripted("no answer", away, done);
  await read.client.get("status.php");
  assert.equal(read.sent.length, 3);
  const write = scripted("no answer", done);
  await write.client.post("contracts/accept.php", {}, { repeatable: true });
  assert.equal(write.sent.length, 2);
  const dead = scripted();
  await assert.rejects(dead.client.get("status.php"), { code: "no_answer", status: 0 });
  assert.equal(dead.sent.length, 5);
});

test("a refusal is an error with everything that the service said", async () => {
  const gates = [{ gate: "domain", passed: false, reason: "unverified", remedy: "Serve the proof." }];
  const error = { code: "gate_refused", message: "Refused.", retryable: false, final: true, gates };
  const { client, sent } = scripted({ status: 403, body: { ok: false, error, request_id: "req_9" } });
  await assert.rejects(client.post("jobs/claim.php", { task_id: "tsk_1" }), (thrown) => {
    assert.ok(thrown instanceof GuildhallError);
    const { code, status, retryable, requestId } = thrown;
    assert.deepEqual(
      { code, status, retryable, requestId, gates: thrown.gates },
      {
        code: "gate_refused",
        status: 403,
        retryable: false,
        requestId: "req_9",
        gates,
      },
    );
    return true;
  });
  assert.equal(sent.length, 1);
});

test("an answer that is not the interface's is an error, and never taken for success", async () => {
  const page = scripted({ body: "<html>Welcome</html>" });
  await assert.rejects(page.client.post("jobs/start.php", {}), { code: "bad_answer", status: 200 });
  const gateway = scripted({ status: 502, body: "<html>Bad gateway</html>" }, done);
  await gateway.client.get("status.php");
  assert.equal(gateway.sent.length, 2);
});

test("pauses grow, are bounded, and differ between callers", () => {
  const longest = [1, 2, 3, 4, 20].map((attempt) => pauseSeconds(attempt, 0, 1));
  assert.deepEqual(longest, [1, 2, 4, 8, 30]);
  assert.equal(pauseSeconds(3, 10, 0), 10);
  assert.notEqual(pauseSeconds(3, 0, 0.2), pauseSeconds(3, 0, 0.8));
});

test("the client's shapes are those of the service", () => {
  // Checked by the compiler: what the service sends can be read as what the client promises.
  const read = (task: TaskWire, contract: ContractWire, settlement: SettlementWire): [Task, Contract, Settlement] => [
    task,
    contract,
    settlement,
  ];
  assert.equal(read.length, 3);
});
