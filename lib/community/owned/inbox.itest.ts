import assert from "node:assert/strict";
import { test } from "node:test";
import { dismissReport } from "#lib/admin/moderation.ts";
import { pool } from "#lib/db/client.ts";
import { findActor } from "#lib/identity/read.ts";
import type { OwnerActor, ServiceActor } from "#lib/kernel/actor.ts";
import { waitingFor } from "#lib/tasks/workspace/waiting.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { joined, member, publish, type TestMember } from "#testing/community.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { actingAs, callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { limitedBy, ownedAgent, setLimits } from "#testing/owner-limits.ts";
import { did, perform, postTask, taskAt, type Work } from "#testing/workflow.ts";
import { readOwnerInbox } from "./inbox.ts";
import type { OwnerWaitingWire } from "./schema.ts";

let owner: TestOwner;
let stranger: TestOwner;
let agent: TestAgent & TestMember;
let work: Work;
testService({}, async () => {
  [owner, stranger] = [await signedInOwner(), await signedInOwner()];
  const identity = await verifiedAgent();
  agent = { ...identity, ...(await joined(identity)) };
  for (const table of ["identities", "profiles"])
    await pool().query(`UPDATE ${table} SET owner_id = $2 WHERE id = $1`, [agent.publicId, owner.ownerId]);
  work = await taskAt(
    "submitted",
    { requester: await verifiedAgent(), provider: agent },
    { task: { visibility: "unlisted" } },
  );
});

const actor = ({ ownerId }: TestOwner) => ({ kind: "owner", id: ownerId, name: "Ada", role: "owner" }) as OwnerActor;

test("what tasks need is read for all agents at once: at most 100 entries, and no texts", async () => {
  const many = await signedInOwner();
  const requester = await verifiedAgent();
  const agents = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
  for (const each of agents) {
    await joined(each);
    for (const table of ["identities", "profiles"])
      await pool().query(`UPDATE ${table} SET owner_id = $2 WHERE id = $1`, [each.publicId, many.ownerId]);
    await taskAt("in_progress", { requester, provider: each }, { amountPence: 0 });
  }
  const [blocked] = agents;
  await pool().query("UPDATE identities SET risk = 'high' WHERE id = $1", [blocked?.publicId]);
  await taskAt("proposed", { requester: agents[1] as TestAgent, provider: agents[2] as TestAgent }, { amountPence: 0 });
  const inbox = await readOwnerInbox(actor(many), undefined);
  assert.deepEqual(
    inbox.waiting.tasks.map((each) => [each.action, each.public_id]),
    [
      // A claim lapses within days; work without a due date is left after a month.
      ["accept", agents[1]?.publicId],
      ["accept", agents[2]?.publicId],
      ...agents.map(({ publicId }) => ["submit", publicId]),
    ],
  );
  assert.deepEqual(Object.keys(inbox.waiting.tasks[0]?.task ?? {}), ["task_id", "title", "state", "available_actions"]);
  // The same as the agent itself is told.
  const { waiting } = await waitingFor((await findActor(agents[0]?.publicId ?? "")) as ServiceActor, new Date());
  assert.deepEqual(
    waiting.map(({ action, deadline, task }) => [action, deadline, task.available_actions]),
    inbox.waiting.tasks.slice(2, 3).map(({ action, deadline, task }) => [action, deadline, task.available_actions]),
  );

  const { rows } = await pool().query(
    "SELECT string_agg(column_name, ',') AS names FROM information_schema.columns WHERE table_name = 'tasks' AND table_schema = 'public' AND column_name NOT IN ('id', 'seq', 'search', 'client_request_id')",
  );
  await pool().query(
    `INSERT INTO tasks (id, client_request_id, ${rows[0].names})
     SELECT 'tsk_' || left(md5(t.id || n), 22), 'more-' || n, ${rows[0].names}
     FROM tasks t, generate_series(1, 60) n WHERE provider_id = ANY ($1) AND state = 'in_progress'`,
    [agents.map(({ publicId }) => publicId)],
  );
  assert.equal((await readOwnerInbox(actor(many), undefined)).waiting.tasks.length, 100);
});

test("the inbox has replies, mentions, what tasks need, and what came of reports, of this owner's agents alone", async () => {
  const writer = await member();
  const opening = await publish(agent);
  await publish(writer, { reply_to: opening.post_id });
  await publish(writer, { body: `Hello @${agent.publicId}` });
  const selected = await postTask(work.requester, { provider_public_id: agent.publicId });
  const report = await callAsOwner<{ report_id: string }>(owner, "POST", "/api/v1/owners/report.php", {
    subject: writer.publicId,
    reason: "It repeats itself.",
  });
  succeeded(report);
  await dismissReport(admin, { reportId: report.body.report_id, reason });
  const inbox = await readOwnerInbox(actor(owner), undefined);
  assert.deepEqual(
    inbox.notices.map(({ kind, agent: { publicId } }) => [kind, publicId]),
    ["task_selected", "mention", "reply"].map((kind) => [kind, agent.publicId]),
  );
  assert.deepEqual(
    inbox.waiting.tasks.map(({ action, task }) => [action, task.task_id]),
    [["claim", selected.task_id]],
  );
  assert.deepEqual(
    inbox.reports.map(({ state, subjectId }) => [state, subjectId]),
    [["dismissed", writer.publicId]],
  );
  const older = await readOwnerInbox(actor(owner), `${inbox.notices[1]?.seq}`);
  assert.deepEqual(
    older.notices.map(({ kind }) => kind),
    ["reply"],
  );
  const empty = await readOwnerInbox(actor(stranger), undefined);
  assert.deepEqual([empty.notices, empty.waiting.count, empty.reports], [[], 0, []]);
});

test("the list of what waits is one: amounts to approve, tasks and messages, of this owner's agents alone", async () => {
  const keeper = await signedInOwner();
  const buyer = await ownedAgent(keeper);
  await joined(buyer);
  await pool().query("UPDATE profiles SET owner_id = $2 WHERE id = $1", [buyer.publicId, keeper.ownerId]);
  const provider = await verifiedAgent();
  const claimed = await taskAt("claimed", { requester: buyer, provider }, { amountPence: 500 });
  succeeded(await setLimits(keeper, buyer, { ask_above_pence: 100 }));
  assert.equal(limitedBy(await perform(buyer, "propose", claimed)), "owner_approval");
  const message = { task_id: claimed.taskId, body: "Shall I begin?" };
  succeeded(await callAs(provider, "POST", "/api/v1/jobs/message.php", message), 201);
  const read = (who: TestOwner) => callAsOwner<OwnerWaitingWire>(who, "GET", "/api/v1/owners/waiting.php");
  const { approvals, tasks, messages, count } = (await read(keeper)).body;
  const mine = [buyer.publicId, claimed.taskId];
  assert.deepEqual(
    [approvals, messages].map(([first]) => [first?.public_id, first?.task_id]),
    [mine, mine],
  );
  assert.deepEqual(
    tasks.map((each) => [each.public_id, each.task.task_id, each.action]),
    [[...mine, "propose"]],
  );
  assert.deepEqual([count, approvals[0]?.payment_mode, messages[0]?.unread], [3, "TEST", 1]);
  assert.equal((await read(stranger)).body.count, 0);
  const acting = await actingAs(keeper, buyer);
  succeeded(await callAs(acting, "POST", "/api/v1/jobs/message.php", { task_id: claimed.taskId, body: "Yes." }), 201);
  await did(acting, "propose", claimed);
  await did(acting, "accept", claimed);
  assert.equal((await read(keeper)).body.count, 0, "nothing waits for what the owner has done");
});
