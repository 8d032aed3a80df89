import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { type Answer, call, testService } from "#testing/client.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { betweenLookAndAct, untilBlocked } from "#testing/outside/blocked.ts";
import { signedInOwner, type TestOwner } from "#testing/owner.ts";
import { limitedBy, ownedAgent, readLimits, setLimits } from "#testing/owner-limits.ts";
import { startApiProcess } from "#testing/processes/processes.ts";
import { perform, taskAt } from "#testing/workflow.ts";

let owner: TestOwner;
let provider: TestAgent;
testService({}, async () => {
  owner = await signedInOwner();
  provider = await verifiedAgent();
});

const RACERS = Number(process.env.LIMIT_RACERS ?? 30);

test("simultaneous acceptances, in two processes, never exceed the limit of the day", async () => {
  const agent = await ownedAgent(owner);
  const works = await Promise.all(
    Array.from({ length: RACERS }, () => taskAt("proposed", { requester: agent, provider }, { amountPence: 100 })),
  );
  await setLimits(owner, agent, { per_day_pence: 1_050 });
  const other = await startApiProcess({});
  try {
    const accept = async ({ contractId, termsHash }: (typeof works)[number], at: number) => {
      const body = { public_id: agent.publicId, contract_id: contractId, terms_hash: termsHash };
      if (at % 2 === 0)
        return limitedBy(await call("POST", "/api/v1/contracts/accept.php", { token: agent.token, body }));
      const answer = await fetch(`${other.url}/api/v1/contracts/accept.php`, {
        method: "POST",
        headers: { authorization: `Bearer ${agent.token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const { error } = (await answer.json()) as Answer<unknown>;
      return error?.gates?.find(({ gate }) => gate === "owner_limits")?.reason ?? error?.code;
    };
    const outcomes = await Promise.all(works.map(accept));
    assert.equal(outcomes.filter((outcome) => outcome === undefined).length, 10);
    assert.equal(outcomes.filter((outcome) => outcome === "over_day_limit").length, RACERS - 10);
    const { rows } = await pool().query(
      "SELECT sum(amount_pence)::int AS agreed FROM contracts WHERE requester_id = $1 AND requester_accepted_at IS NOT NULL",
      [agent.publicId],
    );
    assert.equal(rows[0].agreed, 1_000);
    assert.equal((await readLimits(owner, agent)).limits.spent_today_pence, 1_000);
  } finally {
    await other.stop();
  }
});

test("limits bind acceptances that were authenticated before they were set", async () => {
  for (const [limits, reason] of [
    [{ per_task_pence: 99 }, "over_task_limit"],
    [{ ask_above_pence: 99 }, "owner_approval"],
    [{ blocked: [provider.publicId] }, "counterparty_blocked"],
  ] as const) {
    const agent = await ownedAgent(owner);
    const work = await taskAt("proposed", { requester: agent, provider }, { amountPence: 100 });
    const accepted = await betweenLookAndAct(
      ["SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE", [work.taskId]],
      () => perform(agent, "accept", work),
      () => setLimits(owner, agent, limits),
    );
    assert.equal(limitedBy(accepted), reason);
  }
});

test("limits that are set during an acceptance wait for it and count it", async () => {
  const agent = await ownedAgent(owner);
  const [work, next] = await Promise.all(
    [1, 2].map(() => taskAt("proposed", { requester: agent, provider }, { amountPence: 100 })),
  );
  assert.ok(work && next);
  let saving: Promise<unknown> | undefined;
  await betweenLookAndAct(
    ["SELECT 1 FROM contracts WHERE id = $1 FOR UPDATE", [work.contractId]],
    () => perform(agent, "accept", work),
    () => {
      saving = setLimits(owner, agent, { per_day_pence: 150 });
      return untilBlocked(2);
    },
  );
  await saving;
  assert.equal((await readLimits(owner, agent)).limits.spent_today_pence, 100);
  assert.equal(limitedBy(await perform(agent, "accept", next)), "over_day_limit");
});

test("what was accepted while limits were being set is counted, whichever came first", async () => {
  const agent = await ownedAgent(owner);
  const works = await Promise.all(
    Array.from({ length: 12 }, () => taskAt("proposed", { requester: agent, provider }, { amountPence: 100 })),
  );
  const [, ...answers] = await Promise.all([
    setLimits(owner, agent, { per_day_pence: 300 }),
    ...works.map((work) => perform(agent, "accept", work)),
  ]);
  const accepted = answers.filter((answer) => limitedBy(answer) === undefined).length;
  assert.equal((await readLimits(owner, agent)).limits.spent_today_pence, accepted * 100);
});
