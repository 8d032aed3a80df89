import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { setRisk } from "#lib/admin/restrictions.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { VERBS, type Verb } from "#testing/requests.ts";
import { fc } from "#testing/seed.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { expire, perform, storedState, taskAt, type Work } from "#testing/workflow.ts";
import { STEPS, type StepName, type TaskState } from "./machine.ts";
import type { TaskWire } from "./schema.ts";

let agents: TestAgent[];
testService({}, async () => {
  agents = [await registerAgent(), await verifiedAgent(), await verifiedAgent(), await registerAgent()];
});

const INTERVENTIONS = ["hold", "unhold", "risk", "calm", "resolve_provider", "resolve_requester", "expire"] as const;

/** Follow an offered action, try any step as anybody, or have the administrator or time intervene. */
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("follow" as const), pick: fc.nat(1_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("try" as const), who: fc.nat(3), verb: fc.constantFrom(...VERBS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("intervene" as const), how: fc.constantFrom(...INTERVENTIONS) }),
  },
);

const isVerb = (action: string): action is Verb => (VERBS as readonly string[]).includes(action);

/**
 * What the task offers to an identity; undefined when it cannot see the task. Statements in a dispute are left out: they move nothing, and
 * disputes/statement.itest.ts is about them.
 */
async function offered(agent: TestAgent, work: Work) {
  const { status, body } = await callAs<{ task: TaskWire }>(agent, "GET", "/api/v1/jobs/show.php", {
    task_id: work.taskId,
  });
  return status === 404
    ? undefined
    : new Map<Verb, TaskWire["available_actions"][number]>(
        body.task.available_actions.flatMap((each) => (isVerb(each.action) ? [[each.action, each] as const] : [])),
      );
}

async function intervene(work: Work, how: (typeof INTERVENTIONS)[number]): Promise<void> {
  const { publicId } = agents[1] as TestAgent;
  const { body } = await callAs<{ task: TaskWire }>(work.requester, "GET", "/api/v1/jobs/show.php", {
    task_id: work.taskId,
  });
  if (how === "hold") await hold(admin, { subjectId: work.taskId, reason });
  if (how === "unhold") await unhold(admin, { subjectId: work.taskId, reason });
  if (how === "risk") await setRisk(admin, { publicId, risk: "high", reason });
  if (how === "calm") await setRisk(admin, { publicId, risk: "normal", reason });
  if (how === "expire" && body.task.state !== "expired") await expire(work.taskId);
  const disputeId = body.task.dispute_id;
  if (how.startsWith("resolve") && disputeId)
    await resolveDispute(admin, {
      disputeId,
      resolution: how === "resolve_provider" ? "provider" : "requester",
      reason,
    });
}

const REFUSALS = ["gate_refused", "funding_required", "state_conflict"];

async function take(agent: TestAgent, verb: Verb, work: Work): Promise<void> {
  const actions = await offered(agent, work);
  const action = actions?.get(verb);
  const before = await storedState(work.taskId);
  if (action?.ready) {
    const { error, body } = await perform(agent, verb, work);
    assert.equal(error, undefined, `${verb} was offered as ready, from ${before}`);
    const after = await storedState(work.taskId);
    // A claim proposes the terms that were prepared.
    const taken = verb === "claim" && body.contract ? "propose" : verb;
    const step = STEPS[taken as StepName] as { from: readonly TaskState[]; to: TaskState } | undefined;
    const expected = step && (verb !== "accept" || after !== before) ? step.to : before;
    assert.equal(after, expected, `${verb} from ${before}`);
  } else {
    // A caller who knows the ID may claim a hidden task; confirming again has no effect. A second TEST payment beside a pending one is
    // possible, and not offered.
    if (verb === "confirm" || (verb === "claim" && !actions) || (verb === "fund" && actions?.has("confirm"))) return;
    const { error } = await changesNothing(`${verb} from ${before}`, () => perform(agent, verb, work));
    if (action)
      assert.ok(REFUSALS.includes(error?.code ?? ""), `${verb} was offered as blocked, and answered ${error?.code}`);
    else assert.ok(error || verb === "accept", `${verb} was not offered, and succeeded from ${before}`);
  }
}

// Chosen purely at random, a walk seldom gets far, so steps that go back or end it are taken rarely.
const RETREATS: Partial<Record<Verb, number>> = { cancel: 9, release: 4, decline: 4, request_changes: 3, dispute: 3 };

async function follow(work: Work, pick: number): Promise<void> {
  const ready: [TestAgent, Verb][] = [];
  for (const agent of agents)
    for (const [verb, action] of (await offered(agent, work)) ?? [])
      if (action.ready && pick % (RETREATS[verb] ?? 1) === 0) ready.push([agent, verb]);
  const chosen = ready[pick % Math.max(1, ready.length)];
  if (!chosen) return;
  const [agent, verb] = chosen;
  await take(agent, verb, work);
  if (verb === "fund" && pick % 4)
    await perform(agent, "confirm", work, { outcome: pick % 4 === 1 ? "decline" : "succeed" });
}

const start = fc.record({
  from: fc.constantFrom<TaskState>("open", "claimed", "proposed", "accepted", "in_progress", "submitted"),
  visibility: fc.constantFrom("listed", "unlisted"),
  selected: fc.boolean(),
  amountPence: fc.constantFrom(0, 1, 999),
  moves: fc.array(move, { minLength: 5, maxLength: 30, size: "max" }),
});

test("on every path through the states of a task, the offered actions are exactly those that the verbs accept", async () => {
  await fc.assert(
    fc.asyncProperty(start, async ({ from, visibility, selected, amountPence, moves }) => {
      const [requester, provider] = agents as [TestAgent, TestAgent];
      await setRisk(admin, { publicId: provider.publicId, risk: "normal", reason: "test" });
      const task = { visibility, ...(selected ? { provider_public_id: provider.publicId } : {}) };
      const work = await taskAt(from, { requester, provider }, { amountPence, task });
      for (const move of moves) {
        if (move.kind === "follow") await follow(work, move.pick);
        else if (move.kind === "try") await take(agents[move.who] as TestAgent, move.verb, work);
        else await intervene(work, move.how);
      }
    }),
    { numRuns: Number(process.env.WALKS ?? 20), endOnFailure: true },
  );
});
