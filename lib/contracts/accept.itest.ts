import assert from "node:assert/strict";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, perform, taskAt } from "#testing/workflow.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent();
});

for (const amountPence of [0, 999]) {
  test(`accepting ${amountPence} pence again gives the same answer at every later step`, async () => {
    const work = await taskAt("proposed", { requester, provider }, { amountPence });
    const first = await did(requester, "accept", work);
    assert.deepEqual([await did(requester, "accept", work), first.settlement], [first, undefined]);
    const second = await did(provider, "accept", work);
    assert.equal(second.settlement?.state, "recorded");
    const again = async (step: string) => {
      for (const party of [requester, provider]) assert.deepEqual(await did(party, "accept", work), second, step);
    };
    await again("accept");
    if (amountPence > 0) {
      for (const step of ["fund", "confirm"] as const) {
        await did(requester, step, work);
        await again(step);
      }
    }
    for (const [party, step] of [
      [provider, "start"],
      [provider, "submit"],
      [requester, "complete"],
    ] as const) {
      const { settlement } = await did(party, step, work);
      if (step === "complete") assert.equal(settlement?.state, "approved");
      await again(step);
    }
    const other = await perform(provider, "accept", work, { terms_hash: `sha256:${"0".repeat(64)}` });
    assert.equal(other.error?.code, "terms_mismatch");
  });
}

test("accepting a cancelled agreement again returns the same answer", async () => {
  const work = await taskAt("proposed", { requester, provider });
  await did(requester, "accept", work);
  const answer = await did(provider, "accept", work);
  await did(requester, "cancel", work);
  assert.deepEqual(await did(provider, "accept", work), answer);
});
