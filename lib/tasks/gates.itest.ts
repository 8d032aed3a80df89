import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { allowAction, denyAction } from "#lib/admin/permissions.ts";
import { setRisk } from "#lib/admin/risk.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { startTestService } from "#lib/testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { changesNothing } from "#lib/testing/snapshot.ts";
import { perform, taskAt, VERBS, type Verb, type Work } from "#lib/testing/workflow.ts";
import type { GatedAction } from "./gates.ts";
import type { TaskState } from "./machine.ts";
import type { TaskWire } from "./schema.ts";

let service: Awaited<ReturnType<typeof startTestService>>;
let requester: TestAgent;
let provider: TestAgent;
before(async () => {
  service = await startTestService();
  requester = await registerAgent();
  provider = await verifiedAgent({ skills: ["count"] });
});
after(() => service.stop());

const admin = commandLineContext("test");
const reason = "test";

/** A state from which each step succeeds, who takes it, and the name by which it is gated. */
const STEPS: Record<Verb, [state: TaskState, by: "requester" | "provider", action: GatedAction]> = {
  claim: ["open", "provider", "claim"],
  release: ["claimed", "provider", "release"],
  propose: ["claimed", "requester", "propose"],
  accept: ["proposed", "provider", "accept"],
  decline: ["proposed", "provider", "decline"],
  fund: ["accepted", "requester", "fund"],
  confirm: ["accepted", "requester", "fund"],
  start: ["accepted", "provider", "start"],
  submit: ["in_progress", "provider", "submit"],
  request_changes: ["submitted", "requester", "request_changes"],
  complete: ["submitted", "requester", "complete"],
  cancel: ["claimed", "requester", "cancel"],
  dispute: ["submitted", "provider", "dispute"],
};

async function ready(verb: Verb): Promise<{ work: Work; agent: TestAgent; action: GatedAction }> {
  const [state, by, action] = STEPS[verb];
  const work = await taskAt(state, { requester, provider }, { task: { skill: "count" } });
  if (verb === "confirm" || verb === "start") await perform(requester, "fund", work);
  if (verb === "start") await perform(requester, "confirm", work);
  return { work, agent: by === "requester" ? requester : provider, action };
}

type Obstacle = {
  gate: string;
  reason: string;
  everywhere: boolean;
  put(work: Work, agent: TestAgent, action: GatedAction): Promise<unknown>;
  lift(work: Work, agent: TestAgent, action: GatedAction): Promise<unknown>;
};

function domain(status: string) {
  return (_work: Work, { publicId }: TestAgent) =>
    pool().query("UPDATE identities SET domain_status = $2::domain_status WHERE id = $1", [publicId, status]);
}
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
      const shut = error?.gates?.filter(({ passed }) => !passed).map((result) => [result.gate, result.reason]);
      assert.deepEqual(shut, [[gate, reason]]);
      assert.ok(error?.gates?.every(({ passed, remedy }) => passed === (remedy === null)));
      if (verb !== "confirm") assert.deepEqual(await blockedBy(agent, work, action), [[gate, reason]]);
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

test("creation is refused by a hold and by a denial, and by nothing that only work needs", async () => {
  const agent = await registerAgent({ skills: [] });
  const create = () =>
    callAs(agent, "POST", "/api/v1/jobs/create.php", {
      brief: "b",
      budget_pence: 0,
      client_request_id: newId("req"),
      skill: "count",
    });
  await setRisk(admin, { publicId: agent.publicId, risk: "high", reason });
  assert.equal((await create()).status, 201);
  for (const [put, lift] of [
    [
      () => hold(admin, { subjectId: agent.publicId, reason }),
      () => unhold(admin, { subjectId: agent.publicId, reason }),
    ],
    [
      () => denyAction(admin, { publicId: agent.publicId, action: "create", reason }),
      () => allowAction(admin, { publicId: agent.publicId, action: "create", reason }),
    ],
  ] as const) {
    await put();
    assert.equal((await create()).error?.code, "gate_refused");
    await lift();
    assert.equal((await create()).status, 201);
  }
});

test("a domain in grace claims and starts as before", async () => {
  const { work } = await ready("claim");
  await domain("grace")(work, provider);
  assert.equal((await perform(provider, "claim", work)).error, undefined);
  await domain("verified")(work, provider);
});

test("work that has begun goes on to its end without a proved domain", async () => {
  const { work } = await ready("submit");
  await domain("lapsed")(work, provider);
  for (const [agent, verb] of [
    [provider, "submit"],
    [requester, "complete"],
  ] as const)
    assert.equal((await perform(agent, verb, work)).error, undefined, verb);
  await domain("verified")(work, provider);
});

test("several obstacles are reported together, and a parameter that would override them is unknown", async () => {
  const { work } = await ready("claim");
  const outsider = await registerAgent({ skills: ["other"] });
  await setRisk(admin, { publicId: outsider.publicId, risk: "high", reason });
  const { error } = await perform(outsider, "claim", work);
  assert.deepEqual(
    error?.gates?.map(({ gate, passed }) => [gate, passed]),
    [
      ["hold", true],
      ["permission", true],
      ["suspension", true],
      ["domain", false],
      ["skills", false],
      ["risk", false],
      ["not_self", true],
      ["selected", true],
    ],
  );
  for (const name of ["override", "force", "bypass_gates"])
    assert.equal((await perform(outsider, "claim", work, { [name]: true })).error?.code, "invalid_input");
});

test("a suspended identity is refused everything at once, and is as before when it is restored", async () => {
  const { work } = await ready("complete");
  await suspendIdentity(admin, { publicId: requester.publicId, reason });
  await changesNothing("a suspended identity", async () => {
    for (const verb of VERBS)
      assert.equal((await perform(requester, verb, work)).error?.code, "identity_suspended", verb);
    for (const path of ["agents/me", "jobs/mine", "jobs/inbox", "settlements/mine"])
      assert.equal((await callAs(requester, "GET", `/api/v1/${path}.php`)).error?.code, "identity_suspended", path);
  });
  await restoreIdentity(admin, { publicId: requester.publicId, reason });
  assert.equal((await perform(requester, "complete", work)).error, undefined);
});
