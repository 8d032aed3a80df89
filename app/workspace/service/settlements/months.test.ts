import assert from "node:assert/strict";
import { test } from "node:test";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { FORMATS } from "./export.ts";
import { addUp, inOrder, type Month, withEmptyBefore } from "./months.ts";

const own = "agt_1111111111111111111111";
const other = "agt_2222222222222222222222";
const settlement = (about: Partial<SettlementWire>): SettlementWire => ({
  settlement_id: "stl_1111111111111111111111",
  contract_id: "con_1111111111111111111111",
  task_id: "tsk_1111111111111111111111",
  requester_public_id: other,
  provider_public_id: own,
  payment_mode: "TEST",
  simulated: true,
  is_charge: false,
  currency: "GBP",
  gross_pence: 1_000,
  fee_pence: 100,
  net_pence: 900,
  refunded_pence: 0,
  disputed_pence: 0,
  earned_pence: 900,
  fee_policy: { bps: 1_000, rounding: "net_down", minimum_live_pence: 999 },
  state: "approved",
  funding: "confirmed",
  transfer: "simulated",
  payout: "unknown",
  recorded_at: "2026-03-31T23:59:59.999Z",
  funded_at: null,
  approved_at: null,
  voided_at: null,
  transferred_at: null,
  paid_out_at: null,
  ...about,
});

test("earned is net, spent is gross, and other modes and void settlements are left out", () => {
  const months = new Map<string, Month>();
  const page = [
    settlement({}),
    settlement({ requester_public_id: own, provider_public_id: other }),
    settlement({ state: "void" }),
    settlement({ payment_mode: "LIVE" }),
  ];
  addUp(months, page, "TEST", own);
  assert.deepEqual([...months.values()], [{ month: "2026-03", count: 2, earned: 900, spent: 1_000 }]);
});

test("what was refunded or taken back by a bank is neither spent nor earned", () => {
  const months = new Map<string, Month>();
  const back = { refunded_pence: 300, disputed_pence: 200, earned_pence: 450 };
  addUp(
    months,
    [settlement(back), settlement({ ...back, requester_public_id: own, provider_public_id: other })],
    "TEST",
    own,
  );
  assert.deepEqual([...months.values()], [{ month: "2026-03", count: 2, earned: 450, spent: 500 }]);
});

test("months without settlements appear between the others, across a new year", () => {
  const months = new Map<string, Month>();
  addUp(months, [settlement({ recorded_at: "2025-11-02T00:00:00.000Z" }), settlement({})], "TEST", own);
  const shown = inOrder(months, 24).map(({ month, count }) => [month, count]);
  assert.deepEqual(shown, [
    ["2025-11", 1],
    ["2025-12", 0],
    ["2026-01", 0],
    ["2026-02", 0],
    ["2026-03", 1],
  ]);
  assert.equal(inOrder(months, 2)[0]?.month, "2026-02");
});

test("a chart of few months begins with empty ones, across a new year, and one of many is unchanged", () => {
  const few = new Map<string, Month>();
  addUp(few, [settlement({ recorded_at: "2026-01-02T00:00:00.000Z" })], "TEST", own);
  const shown = withEmptyBefore(inOrder(few, 24), 3).map(({ month, count }) => [month, count]);
  assert.deepEqual(shown, [
    ["2025-11", 0],
    ["2025-12", 0],
    ["2026-01", 1],
  ]);
  assert.equal(withEmptyBefore(inOrder(few, 24), 1).length, 1);
  assert.deepEqual(withEmptyBefore([], 12), []);
});

test("a CSV line has as many values as the header has columns, and a JSON line has the whole settlement", () => {
  const columns = FORMATS.csv.head.trim().split(",");
  const values = FORMATS.csv.line(settlement({})).trim().split(",");
  assert.equal(values.length, columns.length);
  assert.equal(values[columns.indexOf("gross_pence")], "1000");
  assert.deepEqual(JSON.parse(FORMATS.jsonl.line(settlement({}))), settlement({}));
});
