import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "../../lib/db/client.ts";
import { startRecord } from "../../lib/record/record.ts";
import { agentWithOffer, publishOffer, registerAgent, succeeded, verifiedAgent } from "../../testing/factories.ts";
import { signedInOwner } from "../../testing/owner.ts";
import { decideApproval, ownedAgent, setLimits } from "../../testing/owner-limits.ts";
import { servedService } from "../../testing/served.ts";
import { Guildhall, type GuildhallOptions } from "./client.ts";
import { InternalError } from "./errors.ts";
import type { Task } from "./generated/api.ts";
import { type HireOptions, HireStopped } from "./hire.ts";

// The client on a service: the whole workflow while answers get lost, and orders in one call.

const SKILL = "word-count";
const SCHEMAS = {
  input_schema: { type: "object", required: ["text"] },
  result_schema: { type: "object", required: ["words"] },
};
let offerId = "";
let requester: GuildhallOptions;

const served = servedService({ RATE_LIMIT_SCALE: "0" }, async () => {
  const record = startRecord();
  const { offer, ...provider } = await agentWithOffer({ ...SCHEMAS, price_pence: 999 });
  offerId = offer.offer_id;
  requester = { baseUrl: served.url, ...(await verifiedAgent()) };
  const stop = new AbortController();
  const working = provide(new Guildhall({ baseUrl: served.url, ...provider }), stop.signal);
  return async () => {
    stop.abort();
    await working.catch(() => undefined);
    await record.stop();
  };
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
  const options = {
    baseUrl: served.url,
    timeoutMs: fault === "time-out after" ? 250 : 10_000,
    sleep: async () => undefined,
  };
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

/** Takes every order and does it, until stopped. */
async function provide(guild: Guildhall, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for await (const { task_id } of guild.jobs.inbox({ limit: 100 })) {
      const { contract } = await guild.jobs.claim({ task_id });
      if (contract)
        await guild.contracts.accept({ contract_id: contract.contract_id, terms_hash: contract.terms_hash });
    }
    for await (const { task_id } of guild.jobs.mine({ role: "provider", state: "accepted", limit: 100 }))
      await guild.jobs.start({ task_id }).catch(() => undefined);
    for await (const { task_id } of guild.jobs.mine({ role: "provider", state: "in_progress", limit: 100 }))
      await guild.jobs.submit({ task_id, result: '{"words": 2}' }).catch(() => undefined);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const order = (more: Partial<HireOptions> = {}): HireOptions => ({
  offer: offerId,
  input: { text: "one two" },
  maxPricePence: 1_000,
  ...more,
});

test("one call hires: it orders, funds, waits, completes, and returns result, settlement and evidence", async () => {
  const hire = new Guildhall(requester).hire(order());
  const stages: string[] = [];
  for await (const { stage } of hire) stages.push(stage);
  assert.deepEqual([stages[0], stages.at(-1)], ["ordered", "completed"]);
  assert.ok(stages.includes("funding") && stages.includes("reviewing"));
  const { task, result, settlement, evidence } = await hire.result;
  assert.deepEqual(
    [task.state, result, settlement?.state, settlement?.gross_pence],
    ["completed", '{"words": 2}', "approved", 999],
  );
  assert.match(evidence.report.verdict, /consistent|proved/);
});

test("a hire without an offer takes the cheapest that matches, within the price", async () => {
  const guild = new Guildhall(requester);
  const { task } = await guild
    .hire({ skill: "translation", input: { text: "a" }, maxPricePence: 999 })
    .result.catch((error) => error);
  assert.ok(task === undefined || task.offer?.offer_id === offerId);
  await assert.rejects(guild.hire(order({ maxPricePence: 998 })).result, (error) => {
    return error instanceof HireStopped && error.reason === "too_expensive";
  });
  assert.throws(() => guild.hire({ offer: offerId, input: {} } as never), /maxPricePence is required/);
});

test("a result that the review refuses is handed over, with the task as it is", async () => {
  const hire = new Guildhall(requester).hire(order({ review: () => false }));
  await assert.rejects(hire.result, (error) => {
    return error instanceof HireStopped && error.reason === "not_accepted" && error.task?.state === "submitted";
  });
});

test("a hire waits for its owner, accepts the terms once they are approved, and stops if they are refused", async () => {
  const owner = await signedInOwner();
  const agent = await ownedAgent(owner);
  succeeded(await setLimits(owner, agent, { ask_above_pence: 100 }));
  const stagesUnder = async (decision: string) => {
    const hire = new Guildhall({ baseUrl: served.url, ...agent }).hire(order());
    const stages: string[] = [];
    for await (const { stage, task } of hire) {
      stages.push(stage);
      const fields = { task_id: task.task_id, decision, amount_pence: 999 };
      if (stage === "waiting_for_approval") succeeded(await decideApproval(owner, agent, fields));
    }
    return stages;
  };
  const stages = await stagesUnder("approve");
  assert.ok(stages.includes("waiting_for_approval") && stages.at(-1) === "completed", stages.join());
  await assert.rejects(stagesUnder("refuse"), (error) => error instanceof HireStopped && error.reason === "refused");
});

class Killed extends Error {}

/** `fetch` that dies at the n-th request: before it is sent, or after it was answered. */
function dyingAt(point: number): typeof fetch {
  let requests = 0;
  let isDead = false;
  return async (input, init) => {
    if (isDead) throw new Killed();
    requests += 1;
    const at = Math.ceil(point / 2);
    if (requests < at) return fetch(input, init);
    isDead = true;
    if (point % 2 === 0) await (await fetch(input, init)).text();
    throw new Killed();
  };
}

/** Each of 25 points this often; HIRE_KILLS repeats it. */
const RUNS = Number(process.env.HIRE_KILLS ?? 1);

test("a hire that is killed anywhere goes on by its request ID: one task, one contract, one settlement", async () => {
  const points = Array.from({ length: 25 * RUNS }, (_, at) => 1 + (at % 25));
  await Promise.all(
    points.map(async (point, at) => {
      const clientRequestId = `killed-${at}`;
      const dead = new Guildhall({ ...requester, fetch: dyingAt(point), sleep: async () => undefined });
      await dead.hire(order({ clientRequestId })).result.catch(() => undefined);
      const { task } = await new Guildhall(requester).hire(order({ clientRequestId })).result;
      assert.equal(task.state, "completed");
      const { rows } = await pool().query(
        `SELECT (SELECT count(*)::int FROM tasks WHERE client_request_id = $1) AS tasks,
           (SELECT count(*)::int FROM contracts WHERE task_id = $2) AS contracts,
           (SELECT count(*)::int FROM settlements WHERE task_id = $2) AS settlements`,
        [clientRequestId, task.task_id],
      );
      assert.deepEqual(rows[0], { tasks: 1, contracts: 1, settlements: 1 }, `killed at ${point}`);
    }),
  );
});
