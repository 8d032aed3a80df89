import assert from "node:assert/strict";
import { test } from "node:test";
import { hold, unhold } from "#lib/admin/hold.ts";
import { denyAction } from "#lib/admin/restrictions.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { type Answer, outcome, testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { terms } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import {
  did,
  expire,
  passTime as passDays,
  perform,
  postTask,
  storedState,
  taskAt,
  type Work,
} from "#testing/workflow.ts";
import { lapseClaims } from "../lapse.ts";
import type { TaskWire } from "../schema.ts";
import type { QuoteWire } from "./schema.ts";

let requester: TestAgent;
let providers: TestAgent[];
testService({}, async () => {
  requester = await verifiedAgent();
  providers = await Promise.all(Array.from({ length: 6 }, () => verifiedAgent()));
});

type Body = { quote: QuoteWire; quotes: QuoteWire[]; task: TaskWire };
const post = (agent: TestAgent, path: string, fields: object) =>
  callAs<Body>(agent, "POST", `/api/v1/jobs/${path}.php`, fields as Record<string, unknown>);
const read = (agent: TestAgent, path: string, query: object) =>
  callAs<Body>(agent, "GET", `/api/v1/jobs/${path}.php`, query as Record<string, unknown>);
const quoteFor = (task_id: string, agent: TestAgent, fields: object = {}) =>
  post(agent, "quote", { task_id, amount_pence: 400, note: "By tomorrow.", ...fields });
const { amount_pence: _, ...others } = terms(0);
const choose = (quote_id: string, fields: object = { terms: others, accept: true }) =>
  post(requester, "choose_quote", { quote_id, ...fields });

const openToQuotes = async (fields: object = {}) =>
  (await postTask(requester, { open_to: "quotes", ...fields })).task_id;

async function made(task_id: string, agent: TestAgent, fields: object = {}): Promise<QuoteWire> {
  const answer = await quoteFor(task_id, agent, fields);
  succeeded(answer, 201);
  return answer.body.quote;
}

/** A task with a quote of each of the first providers. */
async function quoted(count: number): Promise<{ taskId: string; ids: string[] }> {
  const taskId = await openToQuotes();
  const ids: string[] = [];
  for (const agent of providers.slice(0, count)) ids.push((await made(taskId, agent)).quote_id);
  return { taskId, ids };
}

const statesOf = async (taskId: string) =>
  Object.fromEntries(
    (await read(requester, "quotes", { task_id: taskId })).body.quotes.map(({ quote_id, state }) => [quote_id, state]),
  );
const workOn = (taskId: string, provider: TestAgent): Work => ({
  requester,
  provider,
  taskId,
  amountPence: 400,
  contractId: "",
  termsHash: "",
  paymentId: "",
});
const passTime = (quoteId: string) =>
  pool().query("UPDATE quotes SET expires_at = created_at WHERE id = $1", [quoteId]);
const provider = (index: number) => providers[index] as TestAgent;

test("nobody can claim a task that is open to quotes until a quote is chosen, and then only its provider", async () => {
  const { taskId, ids } = await quoted(2);
  const { error } = await perform(provider(0), "claim", workOn(taskId, provider(0)));
  const selected = error?.gates?.find(({ gate }) => gate === "selected");
  assert.deepEqual([error?.code, selected?.reason], ["gate_refused", "quotes_wanted"]);
  assert.match(selected?.remedy ?? "", /jobs\/quote\.php/);
  const chosen = await choose(ids[0] as string);
  succeeded(chosen);
  assert.equal(chosen.body.quote.state, "chosen");
  assert.equal(chosen.body.task.parties.selected_provider?.public_id, provider(0).publicId);
  assert.equal(outcome(await perform(provider(1), "claim", workOn(taskId, provider(1)))), "403 gate_refused");
  const work = workOn(taskId, provider(0));
  const { contract } = await did(provider(0), "claim", work);
  assert.deepEqual([contract?.amount_pence, contract?.requester_accepted_at !== null], [400, true]);
  assert.deepEqual(await statesOf(taskId), { [ids[0] as string]: "chosen", [ids[1] as string]: "passed_over" });
  await did(provider(0), "accept", work);
});

test("the agreement has the amount and the due date of the quote", async () => {
  const taskId = await openToQuotes();
  const due_at = new Date(Date.now() + 86_400_000).toISOString();
  const { quote_id } = await made(taskId, provider(0), { amount_pence: 700, due_at });
  for (const [name, value] of Object.entries({ amount_pence: 1, due_at, due_in_hours: 2 })) {
    const { error } = await choose(quote_id, { terms: { ...others, [name]: value } });
    assert.deepEqual([error?.code, error?.field_errors?.[0]?.path], ["invalid_input", `terms.${name}`]);
  }
  const bare = await choose(quote_id, {});
  assert.deepEqual([bare.error?.code, bare.error?.field_errors?.[0]?.path], ["invalid_input", "terms"]);
  succeeded(
    await post(requester, "prepare", { task_id: taskId, terms: terms(100, { due_in_hours: 5 }), accept: true }),
  );
  succeeded(await choose(quote_id, {}));
  const { contract } = await did(provider(0), "claim", workOn(taskId, provider(0)));
  assert.deepEqual([contract?.terms?.amount_pence, contract?.terms?.due_at], [700, due_at]);
  assert.ok(contract?.requester_accepted_at);
});

test("when the claim ends without an agreement, the other quotes are live again and one of them can be chosen", async () => {
  const { taskId, ids } = await quoted(3);
  const [first, second, third] = ids as [string, string, string];
  succeeded(await choose(first));
  const work = workOn(taskId, provider(0));
  await did(provider(0), "claim", work);
  assert.equal(outcome(await choose(second)), "409 state_conflict");
  await passTime(third);
  await did(provider(0), "decline", work);
  await did(provider(0), "release", work);
  assert.deepEqual(await statesOf(taskId), { [first]: "chosen", [second]: "live", [third]: "expired" });
  succeeded(await choose(second, {}));
  assert.deepEqual(await statesOf(taskId), { [first]: "live", [second]: "chosen", [third]: "expired" });
  assert.equal((await did(provider(1), "claim", workOn(taskId, provider(1)))).contract?.state, "proposed");
});

test("providers whose quotes are passed over are told, and again when they are live, and nobody learns who has the task", async () => {
  const { taskId, ids } = await quoted(4);
  const [first, , third, fourth] = ids as [string, string, string, string];
  const told = async () => {
    const { rows } = await pool().query(
      `SELECT type, actor_kind AS by, recipients, event_data AS data FROM audit_events
       WHERE task_id = $1 AND type IN ('quote.passed_over', 'quote.reopened') ORDER BY seq`,
      [taskId],
    );
    return rows;
  };
  const about = (type: string, ...at: number[]) =>
    at.map((index) => ({
      type: `quote.${type}`,
      by: "system",
      recipients: [provider(index).publicId],
      data: { quote_id: ids[index] },
    }));
  succeeded(await choose(first));
  succeeded(await post(provider(2), "quote_withdraw", { quote_id: third }));
  await passTime(fourth);
  const work = workOn(taskId, provider(0));
  await did(provider(0), "claim", work);
  const expected = about("passed_over", 1);
  assert.deepEqual(await told(), expected);
  await did(provider(0), "decline", work);
  await did(provider(0), "release", work);
  expected.push(...about("reopened", 1));
  assert.deepEqual(await told(), expected);
  succeeded(await post(requester, "select", { task_id: taskId, provider_public_id: null }));
  succeeded(await post(requester, "cancel", { task_id: taskId }));
  assert.deepEqual(await told(), [...expected, ...about("passed_over", 0, 1)]);
});

test("after a dismissal the others' quotes are live again, and that of the dismissed provider is not", async () => {
  const { taskId, ids } = await quoted(2);
  const [first, second] = ids as [string, string];
  succeeded(await choose(first));
  await did(provider(0), "claim", workOn(taskId, provider(0)));
  await did(requester, "dismiss", workOn(taskId, provider(0)));
  assert.deepEqual(await statesOf(taskId), { [first]: "passed_over", [second]: "live" });
  const { body } = await read(requester, "quotes", { task_id: taskId, state: "live" });
  assert.deepEqual(
    body.quotes.map(({ quote_id }) => quote_id),
    [second],
  );
  assert.equal(outcome(await choose(first, {})), "409 state_conflict");
  succeeded(await post(provider(1), "quote_withdraw", { quote_id: second }));
  assert.equal((await read(provider(5), "show", { task_id: taskId })).body.task.live_quotes, "0");
});

test("terms of a quote whose due date has passed keep only its own provider from claiming, and it is not chosen again", async () => {
  const taskId = await openToQuotes();
  const { quote_id } = await made(taskId, provider(0), { due_at: new Date(Date.now() + 86_400_000).toISOString() });
  succeeded(await choose(quote_id));
  const past = "2026-01-01T00:00:00.000Z";
  await pool().query("UPDATE quotes SET due_at = $2 WHERE id = $1", [quote_id, past]);
  await pool().query(
    "UPDATE tasks SET prepared = jsonb_set(prepared, '{terms,due_at}', to_jsonb($2::text)) WHERE id = $1",
    [taskId, past],
  );
  const claim = (agent: TestAgent) => perform(agent, "claim", workOn(taskId, agent));
  const { error } = await claim(provider(0));
  assert.deepEqual(
    error?.gates?.flatMap(({ passed, gate }) => (passed ? [] : [gate])),
    ["terms"],
  );
  assert.equal(outcome(await choose(quote_id, {})), "409 state_conflict");
  succeeded(await post(requester, "select", { task_id: taskId, provider_public_id: provider(1).publicId }));
  const preparedFor = async (agent: TestAgent) =>
    (await read(agent, "show", { task_id: taskId })).body.task.prepared?.terms.amount_pence;
  // What a rival asks for is not for the provider that was selected instead.
  assert.deepEqual([await preparedFor(requester), await preparedFor(provider(1))], [400, undefined]);
  assert.equal((await claim(provider(1))).body.contract, undefined);
  assert.equal(await preparedFor(provider(1)), undefined);
  assert.equal(await storedState(taskId), "claimed");
});

test("a quote without a due date can be chosen with terms that were prepared with one and a grace period", async () => {
  const due_at = new Date(Date.now() + 86_400_000).toISOString();
  const taskId = await openToQuotes({ terms: terms(100, { due_at, grace_hours: 5 }) });
  const { quote_id } = await made(taskId, provider(0));
  const chosen = await choose(quote_id, {});
  succeeded(chosen);
  assert.deepEqual(chosen.body.task.prepared?.terms, terms(400));
  const { error } = await choose(quote_id, { terms: { ...others, grace_hours: 5 } });
  assert.equal(error?.field_errors?.[0]?.path, "terms.grace_hours");
});

test("a quote that is withdrawn, replaced or expired cannot be chosen", async () => {
  const taskId = await openToQuotes();
  const first = await made(taskId, provider(0));
  const second = await made(taskId, provider(0), { amount_pence: 300 });
  const [gone, late] = [await made(taskId, provider(1)), await made(taskId, provider(2))];
  for (let again = 0; again < 2; again += 1)
    succeeded(await post(provider(1), "quote_withdraw", { quote_id: gone.quote_id }));
  await passTime(late.quote_id);
  assert.deepEqual(await statesOf(taskId), {
    [first.quote_id]: "replaced",
    [second.quote_id]: "live",
    [gone.quote_id]: "withdrawn",
    [late.quote_id]: "expired",
  });
  await changesNothing("a choice of a dead quote", async () => {
    for (const { quote_id } of [first, gone, late])
      for (const fields of [undefined, {}]) assert.equal(outcome(await choose(quote_id, fields)), "409 state_conflict");
  });
  for (const state of ["live", "replaced"]) {
    const { body } = await read(provider(0), "quotes", { task_id: taskId, state });
    assert.deepEqual(
      body.quotes.map((quote) => quote.state),
      [state],
    );
  }
});

test("withdrawing a chosen quote ends the selection, until its provider has claimed the task", async () => {
  const { taskId, ids } = await quoted(2);
  const [first, second] = ids as [string, string];
  succeeded(await choose(first));
  assert.equal(outcome(await quoteFor(taskId, provider(0))), "409 state_conflict");
  succeeded(await post(provider(0), "quote_withdraw", { quote_id: first }));
  const shown = await read(requester, "show", { task_id: taskId });
  assert.equal(shown.body.task.parties.selected_provider, null);
  succeeded(await choose(second, {}));
  await did(provider(1), "claim", workOn(taskId, provider(1)));
  assert.equal(outcome(await post(provider(1), "quote_withdraw", { quote_id: second })), "409 state_conflict");
});

test("nobody reads, chooses or withdraws a quote that is not theirs", async () => {
  const { taskId, ids } = await quoted(2);
  const [first] = ids as [string];
  const stranger = await verifiedAgent();
  const missing = newId("qte");
  const bare = ({ status, body }: Answer<unknown>) => [status, { ...(body as object), request_id: null }];
  const cases: [what: string, agent: TestAgent, ask: (agent: TestAgent, quote: string) => Promise<Answer<Body>>][] = [
    ["a rival withdraws", provider(1), (agent, quote_id) => post(agent, "quote_withdraw", { quote_id })],
    ["a rival chooses", provider(1), (agent, quote_id) => post(agent, "choose_quote", { quote_id, terms: others })],
    ["a stranger withdraws", stranger, (agent, quote_id) => post(agent, "quote_withdraw", { quote_id })],
    ["a stranger chooses", stranger, (agent, quote_id) => post(agent, "choose_quote", { quote_id, terms: others })],
  ];
  for (const [what, agent, ask] of cases)
    assert.deepEqual(bare(await ask(agent, first)), bare(await ask(agent, missing)), what);
  const unlisted = await postTask(requester, { visibility: "unlisted" });
  for (const id of [taskId, unlisted.task_id])
    assert.deepEqual(
      bare(await read(stranger, "quotes", { task_id: id })),
      bare(await read(stranger, "quotes", { task_id: newId("tsk") })),
    );
  assert.deepEqual(bare(await quoteFor(unlisted.task_id, stranger)), bare(await quoteFor(newId("tsk"), stranger)));
  assert.equal(outcome(await post(requester, "quote_withdraw", { quote_id: first })), "403 forbidden");
  assert.equal(outcome(await post(provider(0), "choose_quote", { quote_id: first, terms: others })), "403 forbidden");
  const own = await read(provider(0), "quotes", { task_id: taskId });
  assert.deepEqual(
    own.body.quotes.map(({ quote_id }) => quote_id),
    [first],
  );
  const { rows } = await pool().query(
    "SELECT DISTINCT unnest(recipients) AS who FROM audit_events WHERE task_id = $1 AND type = 'quote.made'",
    [taskId],
  );
  assert.deepEqual(rows, [{ who: requester.publicId }]);
  for (const query of [{ task_id: taskId }, { task_id: taskId, history: "1" }])
    assert.doesNotMatch(JSON.stringify((await read(stranger, "show", query)).body), /qte_|By tomorrow/);
});

test("visitors see how a task is open, and roughly how many live quotes it has", async () => {
  const shown = async (id: string) => {
    const { body } = await read(provider(5), "show", { task_id: id });
    return [body.task.open_to, body.task.live_quotes];
  };
  assert.deepEqual(await shown((await postTask(requester)).task_id), ["claims", undefined]);
  const { taskId, ids } = await quoted(4);
  assert.deepEqual(await shown(taskId), ["quotes", "1-4"]);
  await made(taskId, provider(4));
  assert.deepEqual(await shown(taskId), ["quotes", "5+"]);
  await passTime(ids[0] as string);
  assert.deepEqual(await shown(taskId), ["quotes", "1-4"]);
  assert.deepEqual(await shown(await openToQuotes()), ["quotes", "0"]);
  await expire(taskId);
  assert.deepEqual(await shown(taskId), ["quotes", "0"]);
});

test("quotes are refused where they make no sense", async () => {
  const claims = (await postTask(requester)).task_id;
  const [task, skilled] = [await openToQuotes(), await openToQuotes({ skill: "rare-skill" })];
  const over = await openToQuotes();
  await expire(over);
  const [unverified, denied] = [await registerAgent(), await verifiedAgent()];
  await denyAction(admin, { publicId: denied.publicId, action: "claim", reason });
  const cases: [what: string, expected: string, Promise<Answer<unknown>>][] = [
    ["a task open to claims", "409 state_conflict", quoteFor(claims, provider(0))],
    ["an expired task", "410 task_expired", quoteFor(over, provider(0))],
    ["above the budget", "422 invalid_input", quoteFor(task, provider(0), { amount_pence: 1_001 })],
    ["no note", "422 invalid_input", quoteFor(task, provider(0), { note: "" })],
    ["too long a note", "422 invalid_input", quoteFor(task, provider(0), { note: "x".repeat(2_001) })],
    ["no hours", "422 invalid_input", quoteFor(task, provider(0), { valid_hours: 0 })],
    ["too many hours", "422 invalid_input", quoteFor(task, provider(0), { valid_hours: 721 })],
    ["a due date in the past", "422 invalid_input", quoteFor(task, provider(0), { due_at: "2026-01-01T00:00:00Z" })],
    ["its own requester", "403 gate_refused", quoteFor(task, requester)],
    ["an unproved domain", "403 gate_refused", quoteFor(task, unverified)],
    ["an identity that may not claim", "403 gate_refused", quoteFor(task, denied)],
    ["a missing skill", "403 gate_refused", quoteFor(skilled, provider(0))],
    ["unlisted", "422 invalid_input", post(requester, "create", { ...created(), visibility: "unlisted" })],
    [
      "selected",
      "422 invalid_input",
      post(requester, "create", { ...created(), provider_public_id: provider(0).publicId }),
    ],
  ];
  for (const [what, expected, answer] of cases) assert.equal(outcome(await answer), expected, what);
});

const created = () => ({ open_to: "quotes", brief: "Count.", budget_pence: 1, client_request_id: newId("req") });

test("a retry returns the same quote, and another request under its key is refused", async () => {
  const taskId = await openToQuotes();
  const client_request_id = newId("req");
  const first = await quoteFor(taskId, provider(0), { client_request_id });
  const again = await quoteFor(taskId, provider(0), { client_request_id });
  assert.deepEqual([again.status, again.body], [201, first.body]);
  const other = await quoteFor(taskId, provider(0), { client_request_id, amount_pence: 1 });
  assert.equal(other.error?.code, "request_id_conflict");
});

test("live quotes are bounded for each task and identity, and an identity's quotes for one task", async () => {
  const taskId = await openToQuotes();
  const fill = (count: number, of: "task" | "provider") =>
    pool().query(
      `INSERT INTO quotes (id, task_id, provider_id, amount_pence, note, expires_at, created_at)
       SELECT 'qte_fill' || p.id || t.id, t.id, p.id, 1, 'A note.', now() + interval '1 hour', now()
       FROM (SELECT id FROM identities WHERE $3 = 'provider' AND id = $2 OR $3 = 'task' AND id <> $2 ORDER BY id LIMIT $4) p,
         (SELECT id FROM tasks WHERE $3 = 'task' AND id = $1 OR $3 = 'provider' AND id <> $1 AND state = 'open' AND open_to = 'quotes'
           AND expires_at > now() ORDER BY id LIMIT $4) t
       WHERE NOT EXISTS (SELECT FROM quotes q WHERE q.task_id = t.id AND q.provider_id = p.id)`,
      [taskId, provider(5).publicId, of, count],
    );
  await Promise.all(Array.from({ length: 30 }, () => registerAgent()));
  await fill(30, "task");
  assert.equal((await quoteFor(taskId, provider(5))).error?.reason, "task_quotes");
  await pool().query(
    "UPDATE quotes SET state = 'withdrawn' WHERE id IN (SELECT id FROM quotes WHERE task_id = $1 LIMIT 1)",
    [taskId],
  );
  for (let made = 0; made < 20; made += 1) succeeded(await quoteFor(taskId, provider(5)), 201);
  assert.equal((await quoteFor(taskId, provider(5))).error?.reason, "quotes_for_task");
  await Promise.all(Array.from({ length: 100 }, () => openToQuotes()));
  await fill(100, "provider");
  assert.equal((await quoteFor(await openToQuotes(), provider(5))).error?.reason, "quotes");
});

test("of a choice and what happens beside it, one outcome counts", async () => {
  for (let round = 0; round < 8; round += 1) {
    const { taskId, ids } = await quoted(2);
    const [first, second] = ids as [string, string];
    const beside: Record<number, () => Promise<unknown>> = {
      0: () => choose(second),
      1: () => post(provider(0), "quote_withdraw", { quote_id: first }),
      2: () => quoteFor(taskId, provider(0), { amount_pence: 900 }),
      3: () => passTime(first),
      4: () => perform(requester, "cancel", workOn(taskId, provider(0))),
      5: () => expire(taskId),
      6: () => quoteFor(taskId, provider(3)),
      7: () => post(requester, "prepare", { task_id: taskId, terms: terms(100) }),
    };
    const [chosen] = await Promise.all([choose(first), beside[round]?.()]);
    assert.ok(!chosen.error || ["state_conflict", "task_expired"].includes(chosen.error.code), chosen.error?.message);
    const { rows } = await pool().query(
      `SELECT t.selected_provider_id AS selected, (SELECT q.provider_id FROM quotes q WHERE q.task_id = t.id AND q.state = 'chosen') AS chosen,
         (SELECT count(*)::int FROM quotes q WHERE q.task_id = t.id AND q.state <= 'chosen' AND q.provider_id = $2) AS live
       FROM tasks t WHERE id = $1`,
      [taskId, provider(0).publicId],
    );
    assert.equal(rows[0].selected, rows[0].chosen, `round ${round}`);
    assert.ok(rows[0].live <= 1);
  }
  const { taskId, ids } = await quoted(2);
  succeeded(await choose(ids[0] as string));
  const answers = await Promise.all([
    perform(provider(0), "claim", workOn(taskId, provider(0))),
    perform(provider(0), "claim", workOn(taskId, provider(0))),
    choose(ids[1] as string, {}),
  ]);
  assert.equal(answers.slice(0, 2).filter(({ error }) => !error).length, answers[2]?.error ? 1 : 0);
  assert.equal(await storedState(taskId), answers[2]?.error ? "proposed" : "open");
});

test("a task shows what its requester has done before", async () => {
  const agent = await registerAgent();
  const record = async (task_id: string) => (await read(provider(0), "show", { task_id })).body.task.requester_record;
  const { task_id } = await postTask(agent, { budget_pence: 0, terms: terms(0), accept: true });
  assert.deepEqual(await record(task_id), { tasks_posted: 1, agreed: 0, completed: 0, lapsed_as_requester: 0 });
  const work: Work = { ...workOn(task_id, provider(0)), requester: agent };
  for (const verb of ["claim", "accept", "start", "submit"] as const) await did(provider(0), verb, work);
  await did(agent, "complete", work);
  const { task_id: next } = await postTask(agent);
  await postTask(agent, { visibility: "unlisted" });
  assert.deepEqual(await record(next), { tasks_posted: 2, agreed: 1, completed: 1, lapsed_as_requester: 0 });
  // A lapse that an administrator's hold delayed does not count.
  for (const isHeld of [false, true]) {
    const { taskId } = await taskAt("claimed", { requester: agent, provider: provider(0) });
    const subject = { subjectId: agent.publicId, reason };
    if (isHeld) await hold(admin, subject);
    await passDays(taskId, 4);
    if (isHeld) await unhold(admin, subject);
    await lapseClaims(admin);
  }
  assert.equal((await record(next))?.lapsed_as_requester, 1);
});
