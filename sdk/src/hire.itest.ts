import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { apiListener } from "../../lib/api/listener.ts";
import { listen } from "../../lib/boot/front/address.ts";
import { createHttp } from "../../lib/boot/front/http.ts";
import { pool } from "../../lib/db/client.ts";
import { startRecord } from "../../lib/record/record.ts";
import { startTestService } from "../../testing/client.ts";
import { agentWithOffer, succeeded, verifiedAgent } from "../../testing/factories.ts";
import { signedInOwner } from "../../testing/owner.ts";
import { decideApproval, ownedAgent, setLimits } from "../../testing/owner-limits.ts";
import { Guildhall, type GuildhallOptions } from "./client.ts";
import { type HireOptions, HireStopped } from "./hire.ts";

const SCHEMAS = {
  input_schema: { type: "object", required: ["text"] },
  result_schema: { type: "object", required: ["words"] },
};
let baseUrl = "";
let stopProvider: AbortController;
let offerId = "";
let requester: GuildhallOptions;
const stops: (() => unknown)[] = [];

before(async () => {
  const service = await startTestService({ RATE_LIMIT_SCALE: "0" });
  const record = startRecord();
  const server = createHttp(apiListener(), (_request, response) => response.writeHead(404).end());
  await listen(server, { host: "127.0.0.1", port: 0 });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { offer, ...provider } = await agentWithOffer({ ...SCHEMAS, price_pence: 999 });
  offerId = offer.offer_id;
  requester = { baseUrl, ...(await verifiedAgent()) };
  stopProvider = new AbortController();
  const working = provide(new Guildhall({ baseUrl, ...provider }), stopProvider.signal);
  stops.push(
    () => stopProvider.abort(),
    () => working.catch(() => undefined),
    () => server.closeAllConnections(),
    () => server.close(),
    () => record.stop(),
    () => service.stop(),
  );
});
after(async () => {
  for (const stop of stops) await stop();
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
    await new Promise((done) => setTimeout(done, 20));
  }
}

const order = (more: Partial<HireOptions> = {}): HireOptions => ({
  ...{ offer: offerId, input: { text: "one two" }, maxPricePence: 1_000 },
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
    const hire = new Guildhall({ baseUrl, ...agent }).hire(order());
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

test("a hire that is killed anywhere goes on by its request ID: one task, one contract, one settlement", async () => {
  for (let point = 1; point <= 25; point += 1)
    for (let run = 0; run < RUNS; run += 1) {
      const clientRequestId = `killed-${point}-${run}`;
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
    }
});

/** Each of 25 points this often; HIRE_KILLS repeats it. */
const RUNS = Number(process.env.HIRE_KILLS ?? 1);
