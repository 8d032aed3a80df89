import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import type { ContractWire } from "#lib/contracts/schema.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { type Decision, held, suspended } from "#testing/decisions.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { workerContext } from "#testing/live.ts";
import { task as newTask } from "#testing/requests.ts";
import { did, passTime, perform, readTask, storedState, taskAt, type Work } from "#testing/workflow.ts";
import { expireDueTasks } from "./advance.ts";
import { lapseClaims } from "./lapse.ts";
import type { TaskWire } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
let other: TestAgent;
testService({}, async () => {
  [requester, provider, other] = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
});

const sweep = () => lapseClaims(workerContext());
const show = (agent: TestAgent, { taskId }: Work) => readTask(taskId, agent);
const idsOf = async (agent: TestAgent, list: string, query: Record<string, string> = {}) =>
  (await callAs<{ tasks: TaskWire[] }>(agent, "GET", `/api/v1/jobs/${list}.php`, query)).body.tasks.map(
    ({ task_id }) => task_id,
  );
const clocksOf = ({ clocks }: TaskWire) => clocks.map(({ clock, ends_at, then }) => [clock, ends_at, then]);
const events = async ({ taskId }: Work, type: string) =>
  (
    await pool().query(
      "SELECT event_data AS data, recipients, actor_kind AS by FROM audit_events WHERE task_id = $1 AND type = $2 ORDER BY seq",
      [taskId, type],
    )
  ).rows;
const hours = (one: string | undefined, other: string | undefined) =>
  (new Date(one ?? 0).getTime() - new Date(other ?? 0).getTime()) / 3_600_000;

test("a claim's clock is that of the task, 72 hours unless it says otherwise, and ends when both have accepted", async () => {
  for (const [fields, expected] of [
    [{}, 72],
    [{ claim_hours: 5 }, 5],
  ] as const) {
    const work = await taskAt("claimed", { requester, provider }, { task: fields, amountPence: 0 });
    const claimed = await show(other, work);
    assert.deepEqual(clocksOf(claimed), [["claim", claimed.clocks[0]?.ends_at, "lapse"]]);
    assert.equal(hours(claimed.clocks[0]?.ends_at, claimed.updated_at), expected);
    await did(requester, "propose", work);
    await did(requester, "accept", work);
    assert.deepEqual((await show(provider, work)).clocks, claimed.clocks);
    await did(provider, "accept", work);
    assert.deepEqual(
      (await show(provider, work)).clocks.map(({ clock }) => clock),
      ["work"],
    );
    assert.deepEqual((await show(other, work)).clocks, []);
  }
  for (const claim_hours of [0, 721, 1.5, "72"])
    assert.equal((await callAs(requester, "POST", "/api/v1/jobs/create.php", newTask({ claim_hours }))).status, 422);
});

// Before the sweep and after it, everyone sees the same.
for (const isSwept of [false, true]) {
  const when = isSwept ? "after the sweep has recorded it" : "before the sweep";
  const lapsed = async (state: "claimed" | "proposed", fields: object = {}) => {
    const work = await taskAt(state, { requester, provider }, { task: fields, amountPence: 0 });
    if (state === "proposed") await did(requester, "accept", work);
    await passTime(work.taskId, 4);
    if (isSwept) await sweep();
    assert.equal(await storedState(work.taskId), isSwept ? "open" : state);
    return work;
  };

  test(`a claim that has run out is over for every reader, ${when}`, async () => {
    const [mine, unselected] = [
      await lapsed("proposed", { provider_public_id: provider.publicId }),
      await lapsed("claimed"),
    ];
    for (const work of [mine, unselected]) {
      for (const agent of [requester, provider, other]) {
        const task = await show(agent, work);
        assert.deepEqual([task.state, task.parties.provider, task.agreement, task.clocks], ["open", null, null, []]);
      }
      assert.ok((await idsOf(requester, "list", { state: "open" })).includes(work.taskId));
      for (const state of ["claimed", "proposed"])
        for (const list of ["list", "mine"])
          assert.ok(!(await idsOf(requester, list, { state })).includes(work.taskId), `${list} ${state}`);
      assert.ok((await idsOf(requester, "mine", { state: "open" })).includes(work.taskId));
      assert.ok(!(await idsOf(provider, "mine")).includes(work.taskId));
    }
    // A selected provider stays selected.
    assert.deepEqual(await idsOf(provider, "inbox"), [mine.taskId]);
    const { contract } = (
      await callAs<{ contract: ContractWire }>(provider, "GET", "/api/v1/contracts/show.php", {
        contract_id: mine.contractId,
      })
    ).body;
    assert.equal(contract.state, "lapsed");
    const late = await perform(provider, "accept", mine);
    assert.deepEqual(
      [late.error?.code, /contract is lapsed/.test(late.error?.message ?? "")],
      ["state_conflict", true],
    );
    assert.equal((await perform(requester, "propose", unselected)).error?.code, "state_conflict");
    assert.equal((await perform(provider, "release", unselected)).error?.code, "forbidden");
    for (const [work, agent] of [
      [mine, provider],
      [unselected, other],
    ] as const) {
      await did(agent, "claim", work);
      assert.equal((await show(requester, work)).parties.provider?.public_id, agent.publicId);
      await did(requester, "cancel", work);
    }
  });

  test(`a lapse says whom the claim waited for, and tells both, ${when}`, async () => {
    const silent = await taskAt("proposed", { requester, provider }, { amountPence: 0 });
    await passTime(silent.taskId, 4);
    if (isSwept) await sweep();
    for (const [work, awaited] of [
      [await lapsed("claimed"), "requester"],
      [silent, "requester"],
      [await lapsed("proposed"), "provider"],
    ] as const) {
      // Whatever happens next to the task records it.
      await did(requester, "cancel", work);
      const [lapse, ...more] = await events(work, "task.lapsed");
      assert.deepEqual(more, []);
      assert.deepEqual([lapse?.data.awaited, lapse?.data.state, lapse?.by], [awaited, "open", "system"]);
      assert.deepEqual(lapse?.recipients.sort(), [requester.publicId, provider.publicId].sort());
    }
  });

  test(`a task whose time is over too expires instead of opening again, ${when}`, async () => {
    const work = await lapsed("claimed");
    await pool().query("UPDATE tasks SET expires_at = created_at WHERE id = $1", [work.taskId]);
    assert.equal((await show(requester, work)).state, "expired");
    assert.ok((await idsOf(requester, "list", { state: "expired" })).includes(work.taskId));
    assert.ok(!(await idsOf(requester, "list", { state: "open" })).includes(work.taskId));
    assert.equal((await perform(other, "claim", work)).error?.code, "task_expired");
    await sweep();
    await expireDueTasks(workerContext());
    assert.equal(await storedState(work.taskId), "expired");
  });
}

test("what stops a review period stops a claim's clock, an owner's freeze does not, and the lapse follows when it is lifted", async () => {
  const disputed = (work: Work): Decision => {
    let disputeId = "";
    return {
      put: async () => {
        disputeId = (await did(requester, "dispute", work)).dispute?.dispute_id ?? "";
      },
      lift: () => resolveDispute(admin, { disputeId, resolution: "provider", reason }),
    };
  };
  const stops: ((work: Work) => Decision)[] = [
    disputed,
    ({ taskId }) => held(taskId),
    () => held(provider.publicId),
    () => held(requester.publicId),
    () => suspended(provider),
    () => suspended(requester),
  ];
  for (const stop of stops) {
    const work = await taskAt("claimed", { requester, provider }, { amountPence: 0 });
    const { put, lift } = stop(work);
    await put();
    await passTime(work.taskId, 4);
    assert.equal((await show(other, work)).state, "claimed");
    await sweep();
    assert.equal(await storedState(work.taskId), "claimed");
    await lift();
    assert.equal((await show(other, work)).state, "open");
    await sweep();
    assert.equal(await storedState(work.taskId), "open");
  }
  const frozen = await taskAt("claimed", { requester, provider }, { amountPence: 0 });
  await pool().query("UPDATE identities SET frozen_at = now() WHERE id = $1", [provider.publicId]);
  await passTime(frozen.taskId, 4);
  assert.equal((await show(other, frozen)).state, "open");
  await pool().query("UPDATE identities SET frozen_at = NULL WHERE id = $1", [provider.publicId]);
});

test("what begins between the end of a claim and its sweep does not bring the claim back, unless something stopped its clock already", async () => {
  const claimed = () => taskAt("claimed", { requester, provider }, { amountPence: 0 });
  const late: ((work: Work) => Decision)[] = [
    ({ taskId }) => held(taskId),
    () => held(provider.publicId),
    () => suspended(requester),
  ];
  for (const stop of late) {
    const work = await claimed();
    await passTime(work.taskId, 4);
    const { put, lift } = stop(work);
    await put();
    assert.equal((await show(other, work)).state, "open");
    assert.ok((await idsOf(other, "list", { state: "open" })).includes(work.taskId));
    await sweep();
    assert.equal(await storedState(work.taskId), "open");
    await lift();
  }
  const work = await claimed();
  await held(work.taskId).put();
  await passTime(work.taskId, 4);
  for (const subject of [work.taskId, provider.publicId]) {
    await held(subject).put();
    assert.equal((await show(other, work)).state, "claimed");
  }
  await held(work.taskId).lift();
  for (const isSwept of [false, true]) {
    if (isSwept) await sweep();
    assert.equal((await show(other, work)).state, "claimed");
  }
  await held(provider.publicId).lift();
  assert.equal((await show(other, work)).state, "open");
});

test("a task that was created before claims had an end keeps its claim for ever", async () => {
  const work = await taskAt("open", { requester, provider });
  const { taskId } = work;
  await pool().query("UPDATE tasks SET claim_hours = NULL WHERE id = $1", [taskId]);
  await did(provider, "claim", work);
  await passTime(taskId, 400);
  await sweep();
  const task = await show(requester, work);
  assert.deepEqual([task.state, task.clocks], ["claimed", []]);
  await did(requester, "dismiss", work);
});

test("a dismissed provider cannot claim the task again, and is no longer selected", async () => {
  const work = await taskAt(
    "proposed",
    { requester, provider },
    { task: { provider_public_id: provider.publicId }, amountPence: 0 },
  );
  const { task } = await did(requester, "dismiss", work, { reason: "It says nothing." });
  assert.deepEqual([task?.state, task?.parties.selected_provider, task?.parties.provider], ["open", null, null]);
  const { error } = await perform(provider, "claim", work);
  assert.deepEqual(
    error?.gates?.filter(({ passed }) => !passed).map(({ gate }) => gate),
    ["dismissed"],
  );
  const [{ data, recipients }] = await events(work, "task.dismissed");
  assert.deepEqual([data.reason, data.provider], ["It says nothing.", provider.publicId]);
  assert.ok(recipients.includes(provider.publicId));
  assert.equal(
    (await perform(requester, "select", work, { provider_public_id: provider.publicId })).error?.code,
    "state_conflict",
  );
  await did(other, "claim", work);
  await did(requester, "dispute", work);
  assert.equal((await perform(requester, "dismiss", work)).error?.code, "state_conflict");
});

test("a requester selects another provider while the task is open, and each of them is told", async () => {
  const work = await taskAt("open", { requester, provider }, { task: { visibility: "unlisted" } });
  const { taskId } = work;
  const select = (agent: TestAgent | null) =>
    did(requester, "select", work, { provider_public_id: agent?.publicId ?? null });
  assert.equal((await select(provider)).task?.parties.selected_provider?.public_id, provider.publicId);
  await select(provider);
  assert.deepEqual(await idsOf(provider, "inbox"), [taskId]);
  await select(other);
  assert.deepEqual([await idsOf(provider, "inbox"), await idsOf(other, "inbox")], [[], [taskId]]);
  assert.equal((await perform(provider, "claim", work)).error?.code, "not_found");
  await select(null);
  assert.deepEqual(await idsOf(other, "inbox"), []);
  const told = async (type: string) => (await events(work, type)).map(({ recipients }) => recipients);
  assert.deepEqual(await told("task.selected"), [
    [requester.publicId, provider.publicId],
    [requester.publicId, other.publicId],
  ]);
  assert.deepEqual(await told("task.deselected"), [
    [requester.publicId, provider.publicId],
    [requester.publicId, other.publicId],
  ]);
  for (const [id, code] of [
    [requester.publicId, "invalid_input"],
    [newId("agt"), "not_found"],
  ])
    assert.equal((await perform(requester, "select", work, { provider_public_id: id })).error?.code, code);
  await did(provider, "claim", work);
  assert.equal((await perform(requester, "select", work)).error?.code, "state_conflict");
});

const action = (task: TaskWire, name: string) => task.available_actions.find((each) => each.action === name);
const later = (from: string, days: number) => new Date(new Date(from).getTime() + days * 86_400_000).toISOString();

test("a requester leaves after the due date and its grace period, and not before", async () => {
  const day = 86_400_000;
  const due = new Date(Date.now() + 2 * day).toISOString();
  for (const [terms, graceHours] of [
    [{ due_at: due }, 24],
    [{ due_at: due, grace_hours: 0 }, 0],
    [{ due_at: due, grace_hours: 720 }, 720],
  ] as const) {
    const work = await taskAt("in_progress", { requester, provider }, { terms, amountPence: 0 });
    const task = await show(requester, work);
    const at = later(due, graceHours / 24);
    assert.deepEqual(clocksOf(task), [["work", at, "leave"]]);
    assert.deepEqual([action(task, "leave")?.ready, action(task, "leave")?.not_before], [false, at]);
    const early = await perform(requester, "leave", work);
    assert.deepEqual([early.error?.code, early.error?.not_before], ["state_conflict", at]);
  }
  const overdue = { due_at: new Date(Date.now() - 2 * day).toISOString() };
  for (const state of ["accepted", "in_progress"] as const) {
    const work = await taskAt(state, { requester, provider }, { terms: overdue, amountPence: 0 });
    const task = await show(requester, work);
    assert.deepEqual([action(task, "leave")?.ready, action(task, "leave")?.not_before], [true, undefined]);
    const left = await did(requester, "leave", work, { reason: "It is late." });
    assert.equal(left.task?.state, "cancelled");
    const { rows } = await pool().query("SELECT state FROM settlements WHERE task_id = $1", [work.taskId]);
    assert.deepEqual(rows, [{ state: "void" }]);
  }
  const work = await taskAt("claimed", { requester, provider }, { amountPence: 0 });
  const { error } = await perform(requester, "propose", work, { grace_hours: 5 });
  assert.deepEqual([error?.code, error?.field_errors?.[0]?.path], ["invalid_input", "grace_hours"]);
});

test("a request for changes gives the provider at least seven days more", async () => {
  const terms = { due_at: new Date(Date.now() - 86_400_000 * 3).toISOString() };
  const work = await taskAt("submitted", { requester, provider }, { terms, amountPence: 0 });
  await did(requester, "request_changes", work);
  const task = await show(requester, work);
  assert.deepEqual(
    task.clocks.map(({ ends_at }) => ends_at),
    [later(task.updated_at, 7)],
  );
  const { error } = await perform(requester, "leave", work);
  assert.deepEqual([error?.code, error?.not_before], ["state_conflict", later(task.updated_at, 7)]);
  await passTime(work.taskId, 8);
  await did(requester, "leave", work);
});

test("without a due date the requester leaves after thirty days of silence, from acceptance or the last request for changes", async () => {
  const work = await taskAt("accepted", { requester, provider }, { amountPence: 0 });
  await passTime(work.taskId, 29);
  assert.equal((await perform(requester, "leave", work)).error?.code, "state_conflict");
  await did(provider, "start", work);
  await did(provider, "submit", work);
  await did(requester, "request_changes", work);
  const task = await show(requester, work);
  assert.deepEqual(clocksOf(task), [["work", later(task.updated_at, 30), "leave"]]);
  await passTime(work.taskId, 30);
  await did(requester, "leave", work);
});

test("a provider concludes thirty days after its submission, where the agreement has no review period", async () => {
  const work = await taskAt("submitted", { requester, provider });
  const submitted = await show(other, work);
  const at = submitted.updated_at;
  assert.deepEqual(clocksOf(submitted), [["review", later(at, 30), "conclude"]]);
  const early = await perform(provider, "conclude", work);
  assert.deepEqual([early.error?.code, early.error?.not_before], ["state_conflict", later(at, 30)]);
  await passTime(work.taskId, 30);
  const { task, settlement } = await did(provider, "conclude", work);
  assert.deepEqual([task?.state, settlement?.state, settlement?.transfer], ["completed", "approved", "simulated"]);

  const reviewed = await taskAt("submitted", { requester, provider }, { terms: { review_days: 5 } });
  assert.deepEqual(
    (await show(other, reviewed)).clocks.map(({ clock, then }) => [clock, then]),
    [["review", "auto_complete"]],
  );
  await passTime(reviewed.taskId, 31);
  assert.equal((await perform(provider, "conclude", reviewed)).error?.code, "state_conflict");
});

test("a provider gives up agreed work at any time before it submits, and not while a dispute is open", async () => {
  for (const state of ["accepted", "in_progress"] as const) {
    const work = await taskAt(state, { requester, provider }, { amountPence: 0 });
    assert.equal((await did(provider, "give_up", work, { reason: "Too hard." })).task?.state, "cancelled");
    const disputed = await taskAt(state, { requester, provider }, { amountPence: 0 });
    await did(provider, "dispute", disputed);
    await passTime(disputed.taskId, 31);
    for (const [agent, verb] of [
      [provider, "give_up"],
      [requester, "leave"],
    ] as const)
      assert.equal((await perform(agent, verb, disputed)).error?.code, "state_conflict");
  }
});
