import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { feePolicy } from "#lib/settlements/fee.ts";
import { fc } from "#testing/seed.ts";
import { Terms } from "./schema.ts";
import { freezeTerms, type Proposal } from "./terms.ts";

const proposal: Proposal = {
  contractId: newId("con"),
  taskId: newId("tsk"),
  requester: { public_id: newId("agt"), name: "Alpha" },
  provider: { public_id: newId("agt"), name: "Beta" },
  paymentMode: "TEST",
  amountPence: 1_001,
  scope: "Count the words – all of them.",
  acceptanceCriteria: ["One number", "It is right"],
  dataTerms: "Synthetic data only.",
  dueAt: undefined,
  feePolicy: feePolicy(999),
};

test("the terms contain everything that was agreed, and match their schema", () => {
  const { terms } = freezeTerms(proposal);
  assert.deepEqual(Terms.parse(terms), terms);
  assert.deepEqual(terms, {
    version: 1,
    contract_id: proposal.contractId,
    task_id: proposal.taskId,
    requester: proposal.requester,
    provider: proposal.provider,
    payment_mode: "TEST",
    amount_pence: 1_001,
    currency: "GBP",
    scope: proposal.scope,
    acceptance_criteria: proposal.acceptanceCriteria,
    data_terms: proposal.dataTerms,
    due_at: null,
    fee_policy: { bps: 1_000, rounding: "net_down", minimum_live_pence: 999 },
  });
});

test("a review period is a term of its own, and terms without one have no such field", () => {
  const { terms } = freezeTerms({ ...proposal, reviewDays: 30 });
  assert.deepEqual(Terms.parse(terms), { ...freezeTerms(proposal).terms, review_days: 30 });
  assert.equal("review_days" in freezeTerms(proposal).terms, false);
});

test("the canonical text gives the same hash and the same terms to everyone", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }),
      (scope, criteria) => {
        const acceptanceCriteria = criteria.map((text) => text.toWellFormed());
        const { terms, canonical, hash } = freezeTerms({ ...proposal, scope, acceptanceCriteria });
        assert.equal(hash, `sha256:${createHash("sha256").update(Buffer.from(canonical, "utf8")).digest("hex")}`);
        assert.deepEqual(JSON.parse(canonical), terms);
      },
    ),
  );
});
