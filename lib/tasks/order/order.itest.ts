import assert from "node:assert/strict";
import { test } from "node:test";
import { denyAction } from "#lib/admin/restrictions.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import type { ContractWire } from "#lib/contracts/schema.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import {
  agentWithOffer,
  callAs,
  publishOffer,
  setDomainStatus,
  succeeded,
  type TestAgent,
  type TestOffer,
  verifiedAgent,
} from "#testing/factories.ts";
import type { TaskWire } from "../schema.ts";

const INPUT_SCHEMA = { type: "object", required: ["text"], properties: { text: { type: "string" } } };
const RESULT_SCHEMA = { type: "object", required: ["words"], properties: { words: { type: "integer" } } };
const FORM = {
  price_pence: 250,
  input_schema: INPUT_SCHEMA,
  result_schema: RESULT_SCHEMA,
  turnaround_hours: 24,
  review_days: 3,
  data_terms: "Deleted at once.",
  acceptance_criteria: ["It is right."],
};

let requester: TestAgent;
let provider: TestAgent & { offer: TestOffer };
testService({}, async () => {
  requester = await verifiedAgent();
  provider = await agentWithOffer(FORM);
});

type Ordered = { task: TaskWire; contract: ContractWire };
const order = (fields: object, by = requester, of = provider.offer) =>
  callAs<Ordered>(by, "POST", "/api/v1/jobs/order.php", {
    offer_id: of.offer_id,
    input: { text: " a " },
    price_pence: of.price_pence,
    client_request_id: newId("req"),
    ...fields,
  });
const step = async (agent: TestAgent, path: string, fields: object) => {
  const answer = await callAs<Ordered>(agent, "POST", `/api/v1/${path}.php`, fields as Record<string, unknown>);
  assert.equal(answer.error, undefined, answer.error?.message);
  return answer.body;
};

test("an order by text may be as long as a brief", async () => {
  const { offer } = await agentWithOffer();
  const input = "é".repeat(20_000);
  assert.equal((await order({ input }, requester, offer)).body.task.brief, input);
});

test("an order is a task with everything filled in, whose terms name the offer and its revision in both hashes", async () => {
  const { status, body } = await order({ note: "Soon, please." });
  assert.equal(status, 201);
  const { task } = body;
  const reference = { offer_id: provider.offer.offer_id, revision: 1 };
  assert.deepEqual(
    [task.visibility, task.payment_mode, task.budget_pence, task.skill, task.parties.selected_provider?.public_id],
    ["unlisted", "TEST", 250, "translation", provider.publicId],
  );
  assert.equal(task.brief, '# Input\n\n{"text":" a "}\n\n# Note\n\nSoon, please.');
  assert.deepEqual([task.offer, task.input], [reference, { text: " a " }]);
  assert.equal(task.prepared?.accept, true);
  const { contract } = await step(provider, "jobs/claim", { task_id: task.task_id });
  const { terms } = contract;
  assert.deepEqual(
    [terms?.offer, terms?.amount_pence, terms?.review_days, terms?.data_terms, terms?.acceptance_criteria],
    [reference, 250, 3, "Deleted at once.", ["It is right.", { kind: "json_schema", schema: RESULT_SCHEMA }]],
  );
  const due = Date.parse(terms?.due_at ?? "") - Date.parse(contract.created_at);
  assert.ok(Math.abs(due - 24 * 3_600_000) < 1_000);
  assert.ok(contract.requester_accepted_at);
  assert.match(contract.terms_canonical ?? "", new RegExp(`"offer":{"offer_id":"${reference.offer_id}","revision":1}`));
  // Terms that the requester writes itself are no longer the offer's.
  const { terms_hash } = contract;
  await step(provider, "contracts/decline", { contract_id: contract.contract_id, reason: "Other terms, please." });
  const own = { scope: "A", amount_pence: 1, acceptance_criteria: [], data_terms: "B" };
  const second = (await step(requester, "contracts/create", { task_id: task.task_id, ...own })).contract;
  assert.deepEqual([second.terms?.offer, second.terms_hash === terms_hash], [undefined, false]);
});

test("an order whose files have not arrived cannot be claimed", async () => {
  const expected_files = [{ name: "text.txt", sha256: `sha256:${"a".repeat(64)}` }];
  const { task } = (await order({ expected_files })).body;
  assert.partialDeepStrictEqual(task, { expected_files });
  const { error } = await callAs(provider, "POST", "/api/v1/jobs/claim.php", { task_id: task.task_id });
  const failed = error?.gates?.filter(({ passed }) => !passed).map(({ gate }) => gate);
  assert.deepEqual(failed, ["files"]);
});

test("one request ID orders once, also after the offer has changed", async () => {
  const { offer } = await agentWithOffer({ price_pence: 5 });
  const fields = { input: "A text.", client_request_id: newId("req") };
  const first = await order(fields, requester, offer);
  await pool().query("UPDATE offers SET price_pence = 7, enabled = false WHERE id = $1", [offer.offer_id]);
  const again = await order(fields, requester, offer);
  assert.deepEqual([again.status, again.body.task.task_id], [201, first.body.task.task_id]);
  assert.equal(outcome(await order({ ...fields, note: "More" }, requester, offer)), "409 request_id_conflict");
  const many = await Promise.all(Array.from({ length: 10 }, () => order({ client_request_id: "same" })));
  assert.equal(new Set(many.map(({ body }) => body.task?.task_id)).size, 1);
});

test("an order at another price or revision is refused with the present ones", async () => {
  for (const fields of [{ price_pence: 249 }, { revision: 2 }]) {
    const { status, error } = await order(fields);
    assert.deepEqual([status, error?.code, error?.price_pence, error?.revision], [409, "offer_changed", 250, 1]);
  }
  assert.equal((await order({ revision: 1 })).status, 201);
});

test("an input that does not fit is refused where it is wrong", async () => {
  const text = (await agentWithOffer()).offer;
  const refused: [object, TestOffer, string][] = [
    [{ input: {} }, provider.offer, "input.text"],
    [{ input: { text: 1 } }, provider.offer, "input.text"],
    [{ input: "a" }, provider.offer, "input"],
    [{ input: undefined }, provider.offer, "input"],
    [{ input: { text: "x".repeat(17_000) } }, provider.offer, "input"],
    [{ input: { a: 1 } }, text, "input"],
    [{ input: " " }, text, "input"],
    [{ input: "x".repeat(20_001) }, text, "input"],
    [{ input: "x".repeat(19_000), note: "y".repeat(1_500) }, text, "input"],
  ];
  for (const [fields, offer, path] of refused) {
    const { status, error } = await order(fields, requester, offer);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, path], JSON.stringify(fields).slice(0, 60));
  }
});

test("where there is no LIVE, an order says so, whatever the offer's price", async () => {
  assert.equal(outcome(await order({ payment_mode: "LIVE" })), "409 live_unavailable");
});

test("an offer that cannot be ordered is refused without the provider's private reasons", async () => {
  const states: [string, string, (agent: TestAgent, offer: TestOffer) => Promise<unknown>][] = [
    ["409 offer_unavailable", "disabled", (agent, offer) => publishOffer(agent, { ...offer, enabled: false })],
    ["409 offer_unavailable", "domain", (agent) => setDomainStatus(agent, "lapsed")],
    [
      "409 offer_unavailable",
      "provider",
      (agent) => denyAction(admin, { publicId: agent.publicId, action: "claim", reason }),
    ],
    ["409 offer_unavailable", "provider", (agent) => suspendIdentity(admin, { publicId: agent.publicId, reason })],
  ];
  for (const [expected, why, put] of states) {
    const agent = await agentWithOffer();
    const { offer_id, skill, description, input, output, limits, price_pence, enabled } = agent.offer;
    await put(agent, { offer_id, skill, description, input, output, limits, price_pence, enabled } as TestOffer);
    const answer = await order({ input: "A text." }, requester, agent.offer);
    assert.equal(outcome(answer), expected, why);
    assert.equal(answer.error?.reason, why);
    assert.doesNotMatch(JSON.stringify(answer.error), /suspended|denied|Reason/);
  }
  const hidden = await agentWithOffer({}, { public_profile: false });
  const missing = { ...hidden.offer, offer_id: `ofr_${"1".repeat(22)}` };
  const [one, other] = [
    await order({ input: "A" }, requester, hidden.offer),
    await order({ input: "A" }, requester, missing),
  ];
  assert.deepEqual([outcome(one), one.error?.message], ["404 not_found", other.error?.message]);
  assert.equal(outcome(await order({}, provider)), "422 invalid_input");
});

test("completed orders are facts of the offer, with the hours until their submission", async () => {
  const agent = await agentWithOffer({ price_pence: 0, result_schema: RESULT_SCHEMA });
  const shown = async () => {
    const query = { public_id: agent.publicId };
    const { body } = await call<{ agent: { offers: TestOffer[] } }>("GET", "/api/v1/agents/show.php", { query });
    const { orders_completed, median_hours, slowest_hours, last_completed_at } = body.agent.offers[0] ?? {};
    return { orders_completed, median_hours, slowest_hours, dated: last_completed_at !== null };
  };
  assert.deepEqual(await shown(), { orders_completed: 0, median_hours: null, slowest_hours: null, dated: false });
  for (let made = 0; made < 3; made += 1) {
    const { task } = (await order({ input: "A text." }, requester, agent.offer)).body;
    const on = { task_id: task.task_id };
    const { contract } = await step(agent, "jobs/claim", on);
    const { contract_id, terms_hash } = contract;
    await step(agent, "contracts/accept", { contract_id, terms_hash });
    await step(agent, "jobs/start", on);
    await step(agent, "jobs/submit", { ...on, result: '{"words": 2}' });
    await step(requester, "jobs/complete", on);
  }
  assert.deepEqual(await shown(), { orders_completed: 3, median_hours: 0, slowest_hours: 0, dated: true });
  const seconds = [3_600, 108_000, 7_200];
  await pool().query("UPDATE offer_facts SET recent_seconds = $2 WHERE offer_id = $1", [agent.offer.offer_id, seconds]);
  assert.deepEqual(await shown(), { orders_completed: 3, median_hours: 2, slowest_hours: 30, dated: true });
  const cancelled = (await order({ input: "A text." }, requester, agent.offer)).body.task;
  await step(requester, "jobs/cancel", { task_id: cancelled.task_id });
  assert.equal((await shown()).orders_completed, 3);
  succeeded(await order({ input: "A text." }, requester, agent.offer), 201);
});
