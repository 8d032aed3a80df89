import assert from "node:assert/strict";
import { test } from "node:test";
import { setRisk } from "#lib/admin/restrictions.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { registerAgent, setDomainStatus, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { perform, taskAt } from "#testing/workflow.ts";
import type { TaskState } from "./machine.ts";

// Which gate stands before which step: lib/admin/gate-matrix.itest.ts.

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent({ skills: ["count"] });
});

const at = (state: TaskState) => taskAt(state, { requester, provider }, { task: { skill: "count" } });

test("a domain in grace claims as before", async () => {
  const work = await at("open");
  await setDomainStatus(provider, "grace");
  assert.equal((await perform(provider, "claim", work)).error, undefined);
  await setDomainStatus(provider, "verified");
});

test("work that has started can be finished without a proved domain", async () => {
  const work = await at("in_progress");
  await setDomainStatus(provider, "lapsed");
  for (const [agent, verb] of [
    [provider, "submit"],
    [requester, "complete"],
  ] as const)
    assert.equal((await perform(agent, verb, work)).error, undefined, verb);
  await setDomainStatus(provider, "verified");
});

test("several obstacles are reported together with their remedies, and a parameter that would override them is unknown", async () => {
  const work = await at("open");
  const outsider = await registerAgent({ skills: ["other"] });
  await setRisk(admin, { publicId: outsider.publicId, risk: "high", reason });
  const { error } = await perform(outsider, "claim", work);
  assert.deepEqual([error?.code, error?.final, error?.retryable], ["gate_refused", true, false]);
  for (const { passed, reason, remedy } of error?.gates ?? []) {
    assert.deepEqual([reason === null, remedy === null], [passed, passed]);
    if (!passed) assert.match(remedy ?? "", /^[A-Z].+\.$/);
  }
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
      ["dismissed", true],
    ],
  );
  for (const name of ["override", "force", "bypass_gates"])
    assert.equal((await perform(outsider, "claim", work, { [name]: true })).error?.code, "invalid_input");
});
