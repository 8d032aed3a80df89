import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { decodeCursor, encodeCursor } from "#lib/kernel/cursor.ts";
import { LIMITS } from "#lib/kernel/limits.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { withAccess } from "#testing/access.ts";
import { type Answer, call, testService } from "#testing/client.ts";
import { callAs, registerAgent, reportHealth, type TestAgent } from "#testing/factories.ts";
import { registration } from "#testing/requests.ts";
import { postTask } from "#testing/workflow.ts";
import { answerRoute } from "./route.ts";

testService({ RATE_LIMIT_SCALE: "1" });

const LIST = "/api/v1/jobs/list.php";
const REGISTER = "/api/v1/agents/register.php";
const inbox = (agent: TestAgent, query: object = {}) =>
  callAs<{ next_cursor: string | null }>(agent, "GET", "/api/v1/jobs/inbox.php", { ...query });

/** A refusal for its number, which says how long to wait. */
function assertLimited(answer: Answer<unknown>, name: keyof typeof LIMITS): void {
  const { status, error, headers } = answer;
  assert.deepEqual([status, error?.code, error?.retryable, error?.final], [429, "rate_limited", true, false]);
  const wait = Number(headers.get("Retry-After"));
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= LIMITS[name].seconds, `${wait}`);
  assert.match(
    headers.get("RateLimit-Policy") ?? "",
    new RegExp(`"${name}";q=${LIMITS[name].points};w=${LIMITS[name].seconds}`),
  );
  assert.match(headers.get("RateLimit") ?? "", new RegExp(`"${name}";r=0;t=\\d+`));
  const { points, seconds } = LIMITS[name];
  assert.match(error?.message ?? "", new RegExp(`The limit ${name} \\(.+\\) is ${points} in ${seconds} s per `));
}

test("public reads are limited per address, and every answer shows what is left", async () => {
  const read = (address: string) => call("GET", LIST, { query: { limit: 0 }, address });
  for (let left = 299; left >= 0; left -= 1) {
    const { status, headers } = await read("192.0.2.10");
    assert.equal(status, 200);
    assert.match(headers.get("RateLimit") ?? "", new RegExp(`^"public_read";r=${left};t=\\d+$`));
  }
  assertLimited(await read("192.0.2.10"), "public_read");
  assert.equal((await read("192.0.2.11")).status, 200);
});

test("where Next runs alone, requests of any kind are counted by address before they are answered", async () => {
  const ask = (address: string, path = "/api/v1/nowhere") =>
    answerRoute(new Request(`http://localhost${path}`, { headers: { "X-Forwarded-For": address } }));
  const { points } = LIMITS.request;
  for (let n = 0; n < points; n += 1) assert.equal((await ask("192.0.2.20")).status, 404);
  const refused = await ask("192.0.2.20", "/api/v1/status.php");
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get("RateLimit-Policy") ?? "", /^"request"/);
  assert.equal((await ask("192.0.2.21")).status, 404);
});

test("writes are limited per credential, whatever their address and result", async () => {
  const [agent, other] = [await registerAgent(), await registerAgent()];
  const cancel = (agent: TestAgent, n: number) =>
    call("POST", "/api/v1/jobs/cancel.php", {
      token: agent.token,
      body: { public_id: agent.publicId },
      address: `192.0.2.${n}`,
    });
  for (let left = 59; left >= 0; left -= 1) {
    const { status, headers } = await cancel(agent, left);
    assert.equal(status, 422);
    assert.match(headers.get("RateLimit") ?? "", new RegExp(`^"service_write";r=${left};t=\\d+$`));
  }
  assertLimited(await cancel(agent, 200), "service_write");
  assert.equal((await cancel(other, 200)).status, 422);
  assert.equal((await callAs(agent, "GET", "/api/v1/agents/me.php")).status, 200);
});

test("an inbox can be refreshed four times a minute, and its older pages read without that limit", async () => {
  const [agent, requester] = [await registerAgent(), await registerAgent()];
  for (let n = 0; n < 3; n += 1) await postTask(requester, { provider_public_id: agent.publicId });
  const { body } = await inbox(agent, { limit: 1 });
  for (let n = 0; n < 3; n += 1) assert.equal((await inbox(agent, { limit: 1 })).status, 200);
  assertLimited(await inbox(agent), "inbox_refresh");
  assertLimited(await inbox(agent, { limit: 5 }), "inbox_refresh");
  for (let n = 0; n < 20; n += 1) assert.equal((await inbox(agent, { cursor: body.next_cursor })).status, 200);
});

test("a cursor that lies above every task counts as a refresh, and one that the inbox gave does not", async () => {
  const [agent, requester] = [await registerAgent(), await registerAgent()];
  await postTask(requester, { provider_public_id: agent.publicId });
  const { next_cursor } = (await inbox(agent, { limit: 0 })).body;
  for (let n = 0; n < 5; n += 1) assert.equal((await inbox(agent, { cursor: next_cursor })).status, 200);
  const seq = BigInt(decodeCursor(next_cursor ?? "") ?? "");
  for (const above of [seq + 1n, 10n ** 18n - 1n])
    assert.equal((await inbox(agent, { cursor: encodeCursor(above) })).status, 200);
  assert.equal((await inbox(agent)).status, 200);
  const cursor = encodeCursor(seq + 1_000n);
  assertLimited(await inbox(agent, { cursor }), "inbox_refresh");
  assert.equal((await inbox(agent, { cursor: next_cursor })).status, 200);
});

const ME = "/api/v1/agents/me.php";
const VERIFY = "/api/v1/agents/verify.php";
const from = (address: string, token?: string, query: Record<string, string> = {}) =>
  call("GET", ME, { address, query, ...(token === undefined ? {} : { token }) });

/** Rows of limits that are counted in the database. */
async function strictRows(): Promise<unknown[]> {
  return (await pool().query("SELECT key, points FROM rate_limits ORDER BY key")).rows;
}

test("an address may send sixty failed credentials in 15 minutes, whether malformed, made up or someone else's, beside valid ones", async () => {
  const [agent, other] = [await registerAgent(), await registerAgent()];
  const guesses: (() => Promise<Answer<unknown>>)[] = [
    () => from("192.0.2.20", "ghm_guess"),
    () => from("192.0.2.20", newSecret("ghm")),
    () => from("192.0.2.20", agent.token, { public_id: other.publicId }),
    () => call("POST", VERIFY, { address: "192.0.2.20", token: newSecret("ghm"), body: { public_id: agent.publicId } }),
  ];
  for (let n = 0; n < 60; n += 1) {
    const guess = guesses[n % guesses.length] as () => Promise<Answer<unknown>>;
    const { status, headers } = await guess();
    assert.equal(status, 401);
    assert.match(headers.get("RateLimit") ?? "", new RegExp(`^"credential_failure";r=${59 - n};t=\\d+$`));
  }
  for (const guess of guesses) assertLimited(await guess(), "credential_failure");
  assert.equal((await from("192.0.2.21", "ghm_guess")).status, 401, "another address");
  assert.equal((await from("192.0.2.20", agent.token, { public_id: agent.publicId })).status, 200, "a valid one");
});

test("a thousand made-up credentials meet 429 after sixty, and write no row", async () => {
  const before = await strictRows();
  const statuses = new Map<number, number>();
  const guess = async () => {
    const body = { public_id: "agt_1111111111111111111111" };
    const { status } = await call("POST", VERIFY, { address: "192.0.2.23", token: newSecret("ghm"), body });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 100 }, guess));
  assert.deepEqual(
    statuses,
    new Map([
      [401, 60],
      [429, 940],
    ]),
  );
  assert.deepEqual(await strictRows(), before);
});

test("made-up claim tokens count as failed credentials, up to as many as claims, and write nothing to the database", async () => {
  const before = await strictRows();
  const preview = (token: unknown) =>
    call("POST", "/api/v1/community/", {
      address: "192.0.2.24",
      body: { action: "claim_preview", claim_token: token },
    });
  assert.equal((await preview(undefined)).status, 422);
  for (let n = 0; n < 30; n += 1) assert.equal((await preview(n % 2 ? newSecret("ghk") : "ghk_x")).status, 401);
  assertLimited(await preview(newSecret("ghk")), "claim_failure");
  assert.deepEqual(await strictRows(), before);
});

test("a missing credential or an ended session is not a failed credential, and is counted by address", async () => {
  const session = () =>
    call("GET", "/api/v1/community/", {
      address: "192.0.2.25",
      query: { view: "session" },
      headers: { Cookie: "next-auth.session-token=over" },
    });
  for (let n = 0; n < 70; n += 1) assert.equal((await session()).status, 401);
  for (let left = 529; left >= 0; left -= 1) {
    const { status, headers } = await from("192.0.2.25");
    assert.equal(status, 401);
    assert.match(headers.get("RateLimit") ?? "", new RegExp(`^"service_read";r=${left};t=\\d+$`));
  }
  assertLimited(await from("192.0.2.25"), "service_read");
  assert.equal((await from("192.0.2.26")).status, 401);
});

test("strictly counted calls without a credential write no row", async () => {
  const before = await strictRows();
  for (let n = 0; n < 3; n += 1) assert.equal((await call("POST", VERIFY, { body: {} })).status, 401);
  assert.deepEqual(await strictRows(), before);
});

test("requests refused for their form count against no limit", async () => {
  const agent = await registerAgent();
  for (let n = 0; n < 70; n += 1) {
    const answer = await call("POST", "/api/v1/jobs/claim.php", {
      token: agent.token,
      body: "x",
      headers: { "Content-Type": "text/plain" },
    });
    assert.deepEqual([answer.status, answer.headers.get("RateLimit")], [415, null]);
  }
  assert.equal((await callAs(agent, "POST", "/api/v1/jobs/claim.php")).status, 422);
});

test("a domain is checked ten times an hour at most, counted in the database", async () => {
  const agent = await registerAgent();
  for (let n = 0; n < 10; n += 1) assert.equal((await callAs(agent, "POST", "/api/v1/agents/verify.php")).status, 200);
  assertLimited(await callAs(agent, "POST", "/api/v1/agents/verify.php"), "domain_check");
});

test("each address can register sixty times an hour, even with simultaneous requests", async () => {
  const register = (address: string) => call("POST", REGISTER, { body: registration(), address });
  const answers = await Promise.all(Array.from({ length: 80 }, () => register("192.0.2.30")));
  assert.equal(answers.filter(({ status }) => status === 201).length, 60);
  for (const answer of answers.filter(({ status }) => status !== 201)) assertLimited(answer, "registration");
  assert.equal((await register("192.0.2.31")).status, 201);
});

test("a caller that waits for Retry-After is admitted, also by limits counted in the database", async () => {
  const shared = globalThis as { guildhallLimiters?: Map<string, unknown> };
  const { seconds, points } = LIMITS.registration;
  shared.guildhallLimiters?.delete("registration");
  Object.assign(LIMITS.registration, { seconds: 1, points: 2 });
  try {
    const register = () => call("POST", REGISTER, { body: registration(), address: "192.0.2.40" });
    let answer = await register();
    while (answer.status === 201) answer = await register();
    assertLimited(answer, "registration");
    await delay(Number(answer.headers.get("Retry-After")) * 1_000);
    assert.equal((await register()).status, 201);
  } finally {
    shared.guildhallLimiters?.delete("registration");
    Object.assign(LIMITS.registration, { seconds, points });
  }
});

test("answers that opened no payment account do not count towards five an hour", async () => {
  const agent = await registerAgent();
  const ask = () => callAs(agent, "POST", "/api/v1/payments/account.php");
  for (let n = 0; n < 7; n += 1) assert.equal((await ask()).error?.code, "live_unavailable");
});

test("twenty leaks an hour can be reported from each address", async () => {
  const report = (address: string) =>
    call("POST", "/api/v1/agents/report_leak.php", { body: { secret: newSecret("ghm") }, address });
  for (let n = 0; n < 20; n += 1) assert.equal((await report("192.0.2.77")).status, 200);
  assertLimited(await report("192.0.2.77"), "leak_report");
  assert.equal((await report("192.0.2.78")).status, 200);
});

test("several access tokens of an identity share its limits with the management token", async () => {
  const agent = await registerAgent();
  const tokens = [await withAccess(agent, ["report"]), await withAccess(agent, ["report"]), agent];
  for (let n = 0; n < LIMITS.heartbeat.points; n += 1)
    assert.equal((await reportHealth(tokens[n % 3] as TestAgent, "busy")).status, 200);
  for (const by of tokens) assertLimited(await reportHealth(by, "busy"), "heartbeat");
});
