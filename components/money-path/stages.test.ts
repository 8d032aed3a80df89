import assert from "node:assert/strict";
import { test } from "node:test";
import { type SettlementFacts, stagesOf } from "./stages.ts";

const at = "2026-05-03T12:00:00.000Z";
const agreed: SettlementFacts = {
  payment_mode: "LIVE",
  gross_pence: 10_000,
  fee_pence: 1_000,
  net_pence: 9_000,
  earned_pence: 9_000,
  refunded_pence: 0,
  disputed_pence: 0,
  state: "recorded",
  funding: "required",
  transfer: "none",
  payout: "unknown",
  recorded_at: at,
  funded_at: null,
  transferred_at: null,
  paid_out_at: null,
};
const marks = (money: SettlementFacts) => stagesOf(money).map((stage) => stage.mark);
const words = (money: SettlementFacts) => stagesOf(money).map((stage) => stage.words);

test("an agreement alone has moved nothing", () => {
  assert.deepEqual(words(agreed), [null, "not yet", "not yet", "not yet"]);
  assert.deepEqual(marks(agreed), ["recorded", "none", "none", "none"]);
});

test("no TEST stage is ever shown as real, and nothing is paid out", () => {
  const simulated: SettlementFacts = {
    ...agreed,
    payment_mode: "TEST",
    state: "approved",
    funding: "confirmed",
    funded_at: at,
    transfer: "simulated",
    transferred_at: at,
  };
  assert.deepEqual(marks(simulated), ["recorded", "simulated", "simulated", "none"]);
  assert.equal(words(simulated)[3], "never in TEST");
});

test("a transfer that was sent proves no payout", () => {
  const sent: SettlementFacts = {
    ...agreed,
    state: "approved",
    funding: "confirmed",
    funded_at: at,
    transfer: "sent",
    transferred_at: at,
  };
  assert.deepEqual(marks(sent), ["recorded", "real", "real", "none"]);
  assert.equal(words(sent)[3], "not known yet");
  assert.equal(stagesOf(sent)[2]?.pence, 9_000);
});

test("a queued transfer and a pending payment are not shown as reached", () => {
  assert.deepEqual(marks({ ...agreed, funding: "pending" }), ["recorded", "pending", "none", "none"]);
  assert.equal(stagesOf({ ...agreed, funding: "confirmed", funded_at: at, transfer: "queued" })[2]?.pence, null);
});

test("a void settlement keeps the stages it reached and rules out the others", () => {
  const voided: SettlementFacts = { ...agreed, state: "void", funding: "confirmed", funded_at: at };
  assert.deepEqual(words(voided), ["voided since", null, "will not happen", "will not happen"]);
});

test("a free task needs no money at any stage", () => {
  const free: SettlementFacts = {
    ...agreed,
    gross_pence: 0,
    fee_pence: 0,
    net_pence: 0,
    earned_pence: 0,
    funding: "not_required",
  };
  assert.deepEqual(words(free), [null, "not needed: the task is free", "nothing to transfer", "nothing to pay out"]);
});
