import assert from "node:assert/strict";
import { test } from "node:test";
import { accountChanged } from "#stripe-stand-in/accounts.ts";
import { agreedLive, catchUp, completedLive, fund, liveService, settlementOf } from "#testing/live.ts";

const live = liveService();

type Steps = Record<"identity_match" | "transfers_active" | "payouts_enabled" | "no_unresolved_requirements", boolean>;

/** Every way in which an account can be ready, or not. */
const COMBINATIONS: Steps[] = Array.from({ length: 16 }, (_, bits) => ({
  identity_match: (bits & 1) > 0,
  transfers_active: (bits & 2) > 0,
  payouts_enabled: (bits & 4) > 0,
  no_unresolved_requirements: (bits & 8) > 0,
}));

function arrange(account: string, publicId: string, steps: Steps): void {
  const found = live.stripe.world.accounts.get(account);
  assert.ok(found);
  Object.assign(found, {
    metadata: { ...found.metadata, guildhall_public_id: steps.identity_match ? publicId : "another" },
    transfers: steps.transfers_active ? "active" : "restricted",
    payouts: steps.payouts_enabled ? "active" : "restricted",
    requirements: steps.no_unresolved_requirements ? [] : [{ description: "identity", status: "currently_due" }],
  });
  accountChanged(live.stripe.world, found);
}

const missing = (steps: Steps) => Object.keys(steps).filter((step) => !steps[step as keyof Steps]);

test("a checkout opens only if the provider's account is ready in every respect", async () => {
  const work = await agreedLive(live);
  for (const steps of COMBINATIONS) {
    arrange(work.account, work.provider.publicId, steps);
    const answer = await fund(work);
    const shut = answer.error?.gates?.flatMap(({ gate, passed }) => (passed ? [] : [gate])) ?? [];
    assert.deepEqual(
      shut,
      missing(steps).map((step) => `provider_${step}`),
    );
    assert.equal(answer.status, missing(steps).length > 0 ? 403 : 201);
  }
  assert.equal(live.stripe.world.sessions.size, 1);
});

test("a transfer is sent only if the account is ready in every respect, and otherwise shows why not", async () => {
  const work = await completedLive(live);
  for (const steps of COMBINATIONS) {
    arrange(work.account, work.provider.publicId, steps);
    await catchUp(live);
    for (const agent of [work.requester, work.provider]) {
      const { transfer, transfer_holds: holds } = await settlementOf(work, agent);
      assert.deepEqual(holds?.map(({ reason }) => reason) ?? [], missing(steps));
      assert.equal(transfer, missing(steps).length > 0 ? "queued" : "sent");
    }
  }
});
