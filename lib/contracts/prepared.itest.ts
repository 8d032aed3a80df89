import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { after, before, test } from "node:test";
import { denyAction } from "#lib/admin/restrictions.ts";
import { pool } from "#lib/db/client.ts";
import { lapseClaims } from "#lib/tasks/lapse.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { admin, reason } from "#testing/administrator.ts";
import { type Answer, outcome } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { workerContext } from "#testing/live.ts";
import { evidenceOf, logKey, type SignedLog, signed, startSignedLog } from "#testing/log/signed-log.ts";
import { statementsAbout } from "#testing/log/statements.ts";
import { signedInOwner, type TestOwner } from "#testing/owner.ts";
import { decideApproval, ownedAgent, readLimits, setLimits } from "#testing/owner-limits.ts";
import { task, terms } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, passTime, perform, readTask, storedState, taskAt, type Work } from "#testing/workflow.ts";

let log: SignedLog;
let requester: TestAgent;
let provider: TestAgent;
let owner: TestOwner;
before(async () => {
  log = await startSignedLog();
  ({ requester, provider } = log);
  owner = await signedInOwner();
});
after(() => log.stop());

const create = (fields: object, agent = requester) => callAs(agent, "POST", "/api/v1/jobs/create.php", task(fields));

/** An open task with prepared terms, which the requester accepts in advance unless `fields` say otherwise. */
const preparedTask = (amountPence = 0, fields: object = {}, by = requester) =>
  taskAt(
    "open",
    { requester: by, provider },
    { amountPence, task: { terms: terms(amountPence), accept: true, ...fields } },
  );

/** When events of this type reached an identity, by its feed. */
async function eventsOf(taskId: string, type: string, { publicId }: TestAgent): Promise<number> {
  const { rows } = await pool().query(
    "SELECT FROM audit_events WHERE task_id = $1 AND type = $2 AND $3 = ANY (recipients)",
    [taskId, type, publicId],
  );
  return rows.length;
}

test("a free order takes two calls of the requester and four of the provider", async () => {
  const calls: string[] = [];
  const count = async <Body>(agent: TestAgent, answer: Promise<Answer<Body>>) => {
    calls.push(agent === requester ? "requester" : "provider");
    const { error, body } = await answer;
    assert.equal(error, undefined, error?.message);
    return body;
  };
  type Made = {
    task: { task_id: string };
    contract: { contract_id: string; terms_hash: string; terms: { scope: string } };
  };
  const post = (agent: TestAgent, path: string, fields: object) =>
    count(agent, callAs<Made>(agent, "POST", `/api/v1/${path}.php`, fields as Record<string, unknown>));
  const prepared = { terms: terms(0), accept: true };
  const { task_id } = (await post(requester, "jobs/create", task({ budget_pence: 0, ...prepared }))).task;
  const { contract } = await post(provider, "jobs/claim", { task_id });
  assert.equal(contract.terms.scope, prepared.terms.scope);
  const { contract_id, terms_hash } = contract;
  await post(provider, "contracts/accept", { contract_id, terms_hash });
  await post(provider, "jobs/start", { task_id });
  await post(provider, "jobs/submit", { task_id, result: "Three words." });
  await post(requester, "jobs/complete", { task_id });
  assert.equal(await storedState(task_id), "completed");
  assert.deepEqual(calls, ["requester", ...Array(4).fill("provider"), "requester"]);
});

test("a claim proposes the prepared terms and accepts them for the requester, and record and file say so", async () => {
  const work = await preparedTask(500);
  const { prepared } = await readTask(work.taskId, requester);
  assert.partialDeepStrictEqual(prepared, { terms: terms(500), accept: true });
  const { task: claimed, contract } = await did(provider, "claim", work);
  assert.equal(claimed?.state, "proposed");
  assert.equal(claimed?.agreement?.contract_id, contract?.contract_id);
  assert.equal(contract?.state, "proposed");
  assert.equal(contract?.terms?.amount_pence, 500);
  assert.ok(contract?.requester_accepted_at);
  assert.equal(contract?.requester_prepared_at, prepared?.prepared_at);
  assert.equal(contract?.provider_accepted_at, null);
  assert.equal((await did(provider, "accept", work)).settlement?.gross_pence, 500);
  assert.deepEqual(
    (await statementsAbout(work.taskId, /created|accepted/)).map(({ facts }) => [
      facts.by,
      facts.acceptance,
      facts.prepared_at,
    ]),
    [
      [undefined, undefined, contract?.requester_prepared_at],
      ["requester", "prepared", contract?.requester_prepared_at],
      ["provider", undefined, undefined],
    ],
  );
  await signed();
  const report = await verifyEvidence((await evidenceOf(work.taskId, provider)).body, { key: await logKey() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
});

test("without accept, the terms are only proposed; without terms, a claim is as it always was", async () => {
  const work = await preparedTask(500, { accept: false });
  const { contract } = await did(provider, "claim", work);
  assert.deepEqual([contract?.requester_accepted_at, contract?.requester_prepared_at], [null, null]);
  await did(requester, "accept", work);
  assert.equal((await did(provider, "accept", work)).contract?.state, "accepted");
  const bare = await taskAt("open", { requester, provider });
  assert.equal((await did(provider, "claim", bare)).contract, undefined);
});

test("due_in_hours sets the due date when the agreement is proposed", async () => {
  const work = await preparedTask(0, { terms: terms(0, { due_in_hours: 48 }) });
  const { contract } = await did(provider, "claim", work);
  const hours = (Date.parse(contract?.terms?.due_at ?? "") - Date.parse(contract?.created_at ?? "")) / 3_600_000;
  assert.ok(Math.abs(hours - 48) < 0.01, String(hours));
});

const SOON = new Date(Date.now() + 86_400_000).toISOString();
const REFUSED: [name: string, fields: object, path: string][] = [
  ["an amount above the budget", { terms: terms(1_001) }, "terms.amount_pence"],
  [
    "unknown criteria",
    { terms: terms(0, { acceptance_criteria: [{ kind: "taste" }] }) },
    "terms.acceptance_criteria.0",
  ],
  ["both due dates", { terms: terms(0, { due_at: SOON, due_in_hours: 1 }) }, "terms.due_in_hours"],
  ["no hours", { terms: terms(0, { due_in_hours: 0 }) }, "terms.due_in_hours"],
  ["too many hours", { terms: terms(0, { due_in_hours: 8_761 }) }, "terms.due_in_hours"],
  ["a task of its own", { terms: terms(0, { task_id: "tsk_2222222222222222222222" }) }, "terms.task_id"],
  ["no scope", { terms: terms(0, { scope: "" }) }, "terms.scope"],
];
for (const [name, fields, path] of REFUSED)
  test(`${name} is refused when it is prepared, by create and by prepare`, async () => {
    const { taskId: task_id } = await taskAt("open", { requester, provider });
    await changesNothing(name, async () => {
      for (const { error } of [
        await create({ accept: true, ...fields }),
        await callAs(requester, "POST", "/api/v1/jobs/prepare.php", { task_id, ...fields }),
      ]) {
        assert.equal(error?.code, "invalid_input");
        assert.ok(
          error.field_errors?.some((each) => each.path.startsWith(path)),
          JSON.stringify(error.field_errors),
        );
      }
    });
  });

test("nothing can be accepted in advance without terms", async () => {
  const work = await taskAt("open", { requester, provider });
  for (const { error } of [
    await create({ accept: true }),
    await perform(requester, "prepare", work, { terms: null, accept: true }),
  ])
    assert.deepEqual(
      error?.field_errors?.map(({ path }) => path),
      ["accept"],
    );
});

test("the requester changes and removes prepared terms while the task is open, and not afterwards", async () => {
  const work = await preparedTask(500);
  const changed = await did(requester, "prepare", work, { terms: terms(300), accept: false });
  assert.deepEqual([changed.task?.prepared?.terms.amount_pence, changed.task?.prepared?.accept], [300, false]);
  assert.equal((await did(requester, "prepare", work, { terms: null })).task?.prepared, undefined);
  assert.equal((await did(provider, "claim", work)).contract, undefined);
  assert.equal(outcome(await perform(requester, "prepare", work)), "409 state_conflict");
  const about = await statementsAbout(work.taskId, /prepared/);
  assert.deepEqual(
    about.map(({ facts }) => [facts.prepared, facts.accept]),
    [
      [true, false],
      [false, false],
    ],
  );
});

test("prepared terms stay for the next claim, and declining does not propose them again", async () => {
  const work = await preparedTask(500);
  const first = await did(provider, "claim", work);
  await did(provider, "decline", work);
  assert.equal(await storedState(work.taskId), "claimed");
  await did(provider, "release", work);
  const next = await verifiedAgent();
  const second = await did(next, "claim", work);
  assert.ok(second.contract?.requester_accepted_at);
  assert.notEqual(second.contract?.terms_hash, first.contract?.terms_hash);
});

test("a claim under terms whose due date has passed is refused, and the requester is told once", async () => {
  const work = await preparedTask(0, { terms: terms(0, { due_at: SOON }) });
  await pool().query(
    `UPDATE tasks SET prepared = jsonb_set(prepared, '{terms,due_at}', '"2026-01-01T00:00:00.000Z"') WHERE id = $1`,
    [work.taskId],
  );
  for (const agent of [provider, await verifiedAgent()]) {
    const { status, error } = await perform(agent, "claim", work);
    assert.deepEqual([status, error?.code], [403, "gate_refused"]);
    const failed = error?.gates?.filter(({ passed }) => !passed).map((each) => [each.gate, each.reason]);
    assert.deepEqual(failed, [["terms", "terms_stale"]]);
  }
  const { available_actions: actions } = await readTask(work.taskId, provider);
  const offered = actions.find(({ action }) => action === "claim");
  assert.deepEqual(
    offered?.blocked_by.map(({ gate }) => gate),
    ["terms"],
  );
  assert.equal(await eventsOf(work.taskId, "task.terms_stale", requester), 1);
  assert.equal(await eventsOf(work.taskId, "task.terms_stale", provider), 0);
  await did(requester, "prepare", work, { accept: true });
  assert.ok((await did(provider, "claim", work)).contract?.requester_accepted_at);
});

const LIMITS: [name: string, limits: object, reason: string][] = [
  ["a day's limit that is used up", { per_day_pence: 600 }, "over_day_limit"],
  ["an amount that the owner has to approve", { ask_above_pence: 400 }, "owner_approval"],
  ["a smaller limit for one task", { per_task_pence: 400 }, "over_task_limit"],
];
for (const [name, limits, blocked] of LIMITS)
  test(`${name} leaves out the acceptance and not the claim`, async () => {
    const agent = await ownedAgent(owner);
    const [work, other] = [await preparedTask(500, {}, agent), await preparedTask(500, {}, agent)];
    if ("per_day_pence" in limits) await did(provider, "claim", other);
    succeeded(await setLimits(owner, agent, limits));
    const { contract } = await did(provider, "claim", work);
    assert.deepEqual([contract?.state, contract?.requester_accepted_at], ["proposed", null]);
    const { error } = await perform(agent, "accept", work);
    assert.deepEqual(
      error?.gates?.flatMap(({ passed, reason }) => (passed ? [] : [reason])),
      [blocked],
    );
    if (blocked !== "owner_approval") return;
    // The claim has asked: the owner can decide about these very terms.
    const { contractId: _, termsHash: terms_hash, taskId: task_id } = work;
    const deal = { task_id, amount_pence: 500, provider_public_id: provider.publicId, terms_hash };
    succeeded(await decideApproval(owner, agent, { ...deal, decision: "approve" }));
    await did(agent, "accept", work);
  });

const ENDS: [name: string, end: (work: Work) => Promise<unknown>][] = [
  [
    "declining and releasing",
    async (work) => [await did(provider, "decline", work), await did(provider, "release", work)],
  ],
  [
    "letting the claim lapse",
    async (work) => {
      await passTime(work.taskId, 4);
      assert.equal(await lapseClaims(workerContext()), 1);
    },
  ],
];
for (const [name, end] of ENDS)
  test(`claiming and ${name}, again and again, does not use up the requester's day`, async () => {
    const agent = await ownedAgent(owner);
    const work = await preparedTask(500, {}, agent);
    const spent = async () => (await readLimits(owner, agent)).limits.spent_today_pence;
    succeeded(await setLimits(owner, agent, { per_day_pence: 600 }));
    for (let round = 0; round < 3; round += 1) {
      assert.ok((await did(provider, "claim", work)).contract?.requester_accepted_at);
      assert.equal(await spent(), 500);
      await end(work);
      assert.equal(await spent(), 0);
      succeeded(await setLimits(owner, agent, { per_day_pence: 600 }));
      assert.equal(await spent(), 0, "setting limits counts nothing that has ended");
    }
    await did(provider, "claim", work);
    await did(provider, "accept", work);
    succeeded(await setLimits(owner, agent, { per_day_pence: 600 }));
    assert.equal(await spent(), 500, "what is agreed counts once");
  });

test("what the requester accepts by itself counts for the day, even if the provider declines", async () => {
  const agent = await ownedAgent(owner);
  const work = await taskAt("proposed", { requester: agent, provider }, { amountPence: 500 });
  succeeded(await setLimits(owner, agent, { per_day_pence: 600 }));
  await did(agent, "accept", work);
  await did(provider, "decline", work);
  assert.equal((await readLimits(owner, agent)).limits.spent_today_pence, 500);
});

test("owner limits that forbid the deal refuse it when it is prepared", async () => {
  const agent = await ownedAgent(owner);
  const { taskId: task_id } = await taskAt("open", { requester: agent, provider });
  succeeded(await setLimits(owner, agent, { per_task_pence: 100 }));
  for (const { status, error } of [
    await create({ terms: terms(500), accept: true }, agent),
    await callAs(agent, "POST", "/api/v1/jobs/prepare.php", { task_id, terms: terms(500), accept: true }),
  ])
    assert.deepEqual([status, error?.code], [403, "gate_refused"]);
  succeeded(await callAs(agent, "POST", "/api/v1/jobs/prepare.php", { task_id, terms: null }));
});

test("nothing is proposed for a requester that an administrator no longer lets prepare or propose", async () => {
  for (const action of ["prepare", "propose"] as const) {
    const agent = await registerAgent();
    const work = await preparedTask(0, {}, agent);
    await denyAction(admin, { publicId: agent.publicId, action, reason });
    const { task: claimed, contract } = await did(provider, "claim", work);
    assert.deepEqual([claimed?.state, contract], ["claimed", undefined], action);
    await did(provider, "release", work);
  }
});

test("of many claims of a task with prepared terms one wins, with one agreement; against a change of the terms it is old or new", async () => {
  const providers = await Promise.all(Array.from({ length: 8 }, () => verifiedAgent()));
  const work = await preparedTask(500);
  const answers = await Promise.all(providers.map((agent) => perform(agent, "claim", { ...work })));
  assert.equal(answers.filter(({ error }) => !error).length, 1);
  assert.ok(answers.every(({ error }) => !error || error.code === "state_conflict"));
  const { rows } = await pool().query("SELECT FROM contracts WHERE task_id = $1", [work.taskId]);
  assert.equal(rows.length, 1);
  for (let round = 0; round < 8; round += 1) {
    const raced = await preparedTask(500);
    const [claimed, changed] = await Promise.all([
      perform(provider, "claim", raced),
      perform(requester, "prepare", { ...raced }, { terms: terms(300), accept: true }),
    ]);
    assert.equal(claimed.error, undefined);
    assert.equal(claimed.body.contract?.amount_pence, changed.error ? 500 : 300);
  }
});

test("a requester signs its prepared acceptance afterwards, once, and the file proves it", async () => {
  const pair = generateKeyPairSync("ed25519");
  const agent = await verifiedAgent();
  const profile = { signing_key: pair.publicKey.export({ format: "jwk" }) };
  succeeded(await callAs(agent, "POST", "/api/v1/agents/profile.php", profile));
  const work = await preparedTask(500, {}, agent);
  await did(provider, "claim", work);
  const lines = ["guildhall.accept/1", "guild.example/log", work.contractId, work.termsHash];
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const signature = sign(null, text, pair.privateKey).toString("base64url");
  for (let again = 0; again < 2; again += 1) await did(agent, "accept", work, { signature });
  assert.equal((await statementsAbout(work.taskId, /contract\.signed/)).length, 1);
  await signed();
  const report = await verifyEvidence((await evidenceOf(work.taskId, agent)).body, { key: await logKey() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  assert.equal(report.proved.filter((line) => line.includes("was signed with the key")).length, 1);
});
