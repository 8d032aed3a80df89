import assert from "node:assert/strict";
import { test } from "node:test";
import { hold, unhold } from "#lib/admin/hold.ts";
import { allowAction, denyAction, setRisk } from "#lib/admin/restrictions.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, setDomainStatus, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { readyFor } from "#testing/ready-step.ts";
import { VERBS, type Verb } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { perform, type Work } from "#testing/workflow.ts";
import type { GatedAction } from "./gates.ts";
import type { TaskWire } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent({ skills: ["count"] });
});

const ready = (verb: Verb) => readyFor(verb, { requester, provider }, "count");

type Obstacle = {
  gate: string;
  reason: string;
  everywhere: boolean;
  put(work: Work, agent: TestAgent, action: GatedAction): Promise<unknown>;
  lift(work: Work, agent: TestAgent, action: GatedAction): Promise<unknown>;
};

const domain = (status: string) => (_work: Work, agent: TestAgent) => setDomainStatus(agent, status);
function skills(list: string[]) {
  return (_work: Work, agent: TestAgent) => callAs(agent, "POST", "/api/v1/agents/skills.php", { skills: list });
}

const OBSTACLES: Obstacle[] = [
  {
    gate: "hold",
    reason: "identity_held",
    everywhere: true,
    put: (_work, { publicId: subjectId }) => hold(admin, { subjectId, reason }),
    lift: (_work, { publicId: subjectId }) => unhold(admin, { subjectId, reason }),
  },
  {
    gate: "hold",
    reason: "task_held",
    everywhere: true,
    put: ({ taskId: subjectId }) => hold(admin, { subjectId, reason }),
    lift: ({ taskId: subjectId }) => unhold(admin, { subjectId, reason }),
  },
  {
    gate: "permission",
    reason: "denied",
    everywhere: true,
    put: (_work, { publicId }, action) => denyAction(admin, { publicId, action, reason }),
    lift: (_work, { publicId }, action) => allowAction(admin, { publicId, action, reason }),
  },
  {
    gate: "risk",
    reason: "high_risk",
    everywhere: false,
    put: (_work, { publicId }) => setRisk(admin, { publicId, risk: "high", reason }),
    lift: (_work, { publicId }) => setRisk(admin, { publicId, risk: "normal", reason }),
  },
  { gate: "skills", reason: "missing_skill", everywhere: false, put: skills(["other"]), lift: skills(["count"]) },
  { gate: "domain", reason: "lapsed", everywhere: false, put: domain("lapsed"), lift: domain("verified") },
  { gate: "domain", reason: "unverified", everywhere: false, put: domain("unverified"), lift: domain("verified") },
];

for (const verb of VERBS) {
  test(`${verb} is refused by the gates that stand before it, by no others, and succeeds once they are open`, async () => {
    for (const { gate, reason, everywhere, put, lift } of OBSTACLES) {
      const { work, agent, action } = await ready(verb);
      const isBefore = everywhere || verb === "claim" || verb === "start";
      await put(work, agent, action);
      if (!isBefore) {
        assert.equal((await perform(agent, verb, work)).error, undefined, reason);
        await lift(work, agent, action);
        continue;
      }
      const { status, error } = await changesNothing(`${verb} against ${reason}`, () => perform(agent, verb, work));
      assert.deepEqual(
        [status, error?.code, error?.final, error?.retryable],
        [403, "gate_refused", true, false],
        reason,
      );
      const failed = error?.gates?.filter(({ passed }) => !passed).map((result) => [result.gate, result.reason]);
      assert.deepEqual(failed, [[gate, reason]]);
      assert.ok(error?.gates?.every(({ passed, remedy }) => passed === (remedy === null)));
      assert.deepEqual(await blockedBy(agent, work, action), [[gate, reason]]);
      await lift(work, agent, action);
      assert.equal((await perform(agent, verb, work)).error, undefined, `${reason} lifted`);
    }
  });
}

async function blockedBy(agent: TestAgent, work: Work, action: GatedAction) {
  const { body } = await callAs<{ task: TaskWire }>(agent, "GET", "/api/v1/jobs/show.php", { task_id: work.taskId });
  const listed = body.task.available_actions.find((available) => available.action === action);
  assert.equal(listed?.ready, false, action);
  return listed?.blocked_by.map(({ gate, reason }) => [gate, reason]);
}
