import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { apiListener } from "../../lib/api/listener.ts";
import { startTestService } from "../../testing/client.ts";
import { publishOffer, registerAgent, verifiedAgent } from "../../testing/factories.ts";
import { Guildhall } from "./client.ts";
import { GateRefused, GuildhallError, InternalError } from "./errors.ts";
import type { Task } from "./generated/api.ts";

// The whole workflow through the SDK, on a service whose answers get lost.

const SKILL = "word-count";
let baseUrl = "";
const stops: (() => unknown)[] = [];

before(async () => {
  const service = await startTestService();
  const server = createServer(apiListener());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => service.stop(),
  );
});

after(async () => {
  for (const stop of stops) await stop();
});

type Fault = "reset before" | "reset after" | "500 after" | "503 before" | "time-out after";

const answer = (status: number, code: string, headers: Record<string, string> = {}) => {
  const error = { code, message: "Injected.", retryable: status === 503, final: false };
  return new Response(JSON.stringify({ ok: false, error, request_id: "req_injected" }), { status, headers });
};

/** `fetch` with one fault at the first request to each path. */
function faulty(fault: Fault): { fetch: typeof fetch; hit: Set<string> } {
  const hit = new Set<string>();
  const faultyFetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (hit.has(pathname)) return fetch(input, init);
    hit.add(pathname);
    if (fault === "503 before") return answer(503, "temporarily_unavailable", { "Retry-After": "1" });
    if (fault === "reset before") throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    await (await fetch(input, init)).text();
    if (fault === "reset after") throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    if (fault === "500 after") return answer(500, "internal");
    return new Promise((_, fail) => init?.signal?.addEventListener("abort", () => fail(init.signal?.reason)));
  };
  return { fetch: faultyFetch, hit };
}

async function parties(fault: Fault) {
  const requester = await registerAgent();
  const provider = await verifiedAgent({ skills: [SKILL] });
  await publishOffer(provider, { skill: SKILL, price_pence: 999 });
  const lost = { requester: faulty(fault), provider: faulty(fault) };
  const options = { baseUrl, timeoutMs: fault === "time-out after" ? 250 : 10_000, sleep: async () => undefined };
  return {
    requester: new Guildhall({ ...options, ...requester, ...lost.requester }),
    provider: new Guildhall({ ...options, ...provider, ...lost.provider }),
    providerId: provider.publicId,
    hits: () => lost.requester.hit.size + lost.provider.hit.size,
  };
}

/** What a program does after a 500, which nobody may repeat blindly: it looks whether the step was taken. */
async function sure<Answer>(call: () => PromiseLike<Answer>, look: () => PromiseLike<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof InternalError)) throw error;
    return look();
  }
}

for (const fault of ["reset before", "reset after", "503 before", "500 after", "time-out after"] as const)
  test(`with a fault (${fault}) at every call there is one task, one contract and one settlement`, async () => {
    const { requester, provider, providerId, hits } = await parties(fault);
    const order = { client_request_id: "order-1", brief: "Count.", budget_pence: 999, provider_public_id: providerId };
    const create = () => requester.jobs.create(order);
    const {
      task: { task_id },
    } = await sure(create, create);
    const show = (guild: Guildhall) => async () => {
      const read = () => guild.jobs.show({ task_id });
      return sure(read, read);
    };
    await sure(
      () => provider.jobs.inbox(),
      () => provider.jobs.inbox(),
    );
    await sure(() => provider.jobs.claim({ task_id }), show(provider));
    const terms = { scope: "Words", amount_pence: 999, acceptance_criteria: ["They add up."], data_terms: "None." };
    const { contract } = await sure(
      () => requester.contracts.create({ task_id, ...terms }),
      async () => {
        const { task } = await show(requester)();
        const contract_id = task.agreement?.contract_id ?? "";
        const read = () => requester.contracts.show({ contract_id });
        return sure(read, read);
      },
    );
    const { contract_id, terms_hash } = contract;
    assert.equal(requester.terms.hash(contract.terms ?? {}), terms_hash);
    for (const guild of [requester, provider]) {
      const accept = () => guild.contracts.accept({ contract_id, terms_hash });
      await sure(accept, accept);
    }
    const intent = () => requester.payments.intent({ contract_id }, { idempotencyKey: "pay-1" });
    const { payment } = await sure(intent, intent);
    const confirm = () => requester.payments.confirm({ payment_id: payment.payment_id, outcome: "succeed" });
    await sure(confirm, confirm);
    await sure(() => provider.jobs.start({ task_id }), show(provider));
    await sure(() => provider.jobs.submit({ task_id, result: "Two words." }), show(provider));
    await sure(() => requester.jobs.requestChanges({ task_id, reason: "Which?" }), show(requester));
    await sure(() => provider.jobs.submit({ task_id, result: "Two words: one, two." }), show(provider));
    const done = await sure<{ task: Task }>(() => requester.jobs.complete({ task_id }), show(requester));
    assert.equal(done.task.state, "completed");

    const mine = () => Array.fromAsync(requester.jobs.mine({ limit: 1 }));
    const tasks = await sure(mine, mine);
    const { settlements } = await sure(
      () => requester.settlements.mine(),
      () => requester.settlements.mine(),
    );
    assert.equal(tasks.length, 1);
    assert.equal(settlements.length, 1);
    assert.deepEqual(
      [settlements[0]?.contract_id, settlements[0]?.gross_pence, settlements[0]?.state],
      [contract_id, 999, "approved"],
    );
    const { history } = await requester.jobs.show({ task_id, history: "1" });
    assert.deepEqual(
      history?.map(({ action }) => action),
      ["create", "claim", "propose", "accept", "start", "submit", "request_changes", "submit", "complete"],
    );
    // Each of these paths had its fault, on both sides.
    assert.ok(hits() >= 14, String(hits()));
  });

test("a gate's refusal is final: one request, and every gate with its remedy", async () => {
  const requester = await registerAgent();
  const stranger = await registerAgent();
  const guild = new Guildhall({ baseUrl, ...requester });
  const { task } = await guild.jobs.create({ brief: "Count.", budget_pence: 0 });
  let requests = 0;
  const counting = new Guildhall({
    baseUrl,
    ...stranger,
    fetch: (input, init) => {
      requests += 1;
      return fetch(input, init);
    },
  });
  await assert.rejects(counting.jobs.claim({ task_id: task.task_id }), (error: unknown) => {
    assert.ok(error instanceof GateRefused && error instanceof GuildhallError && error.final);
    const domain = error.gates.find(({ gate }) => gate === "domain");
    assert.ok(domain && !domain.passed && domain.remedy);
    assert.match(error.requestId ?? "", /^req_/);
    return true;
  });
  assert.equal(requests, 1);
});
