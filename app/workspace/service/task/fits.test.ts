import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContractWire } from "#lib/contracts/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { DisputeWire } from "#lib/tasks/disputes/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { fits, type Parts } from "./fits.ts";

const AT = "2026-11-22T12:00:00.000Z";
const agreement = {
  contract_id: "con_1",
  terms_hash: "",
  amount_pence: 500,
  state: "accepted" as const,
  requester_accepted_at: AT,
  provider_accepted_at: AT,
};
const fund = { action: "fund", method: "POST", path: "", ready: true, blocked_by: [] } as const;

function taskWith(fields: Partial<TaskWire>): TaskWire {
  const none = { settlement_id: "stl_1", dispute_id: null, available_actions: [fund], agreement };
  return { ...none, state: "accepted", ...fields } as TaskWire;
}

function partsWith({
  contract = {},
  settlement = {},
  disputes = [],
}: Partial<Record<keyof Parts, object>> = {}): Parts {
  return {
    contract: contract && ({ ...agreement, ...contract } as ContractWire),
    settlement: { settlement_id: "stl_1", state: "recorded", funding: "required", ...settlement } as SettlementWire,
    disputes: disputes as DisputeWire[],
  };
}

test("a task and its parts of one moment fit", () => {
  assert.ok(fits(taskWith({}), partsWith()));
  assert.ok(fits(taskWith({ available_actions: [] }), partsWith({ settlement: { funding: "confirmed" } })));
  assert.ok(
    fits(taskWith({ state: "completed", available_actions: [] }), partsWith({ settlement: { state: "approved" } })),
  );
  const open = { dispute_id: "dsp_1", state: "open" };
  assert.ok(fits(taskWith({ dispute_id: "dsp_1" }), partsWith({ disputes: [open] })));
  const nothing: Partial<TaskWire> = { agreement: null, settlement_id: null, available_actions: [], state: "open" };
  assert.ok(fits(taskWith(nothing), { contract: null, settlement: null, disputes: [] }));
});

test("a part that is older or newer than the task does not fit", () => {
  for (const [task, parts] of [
    [taskWith({}), partsWith({ contract: { state: "proposed", provider_accepted_at: null } })],
    [taskWith({}), partsWith({ settlement: { funding: "confirmed" } })],
    [taskWith({ available_actions: [] }), partsWith()],
    [taskWith({ settlement_id: null }), partsWith()],
    [taskWith({ state: "submitted" }), partsWith({ settlement: { state: "approved" } })],
    [taskWith({ state: "completed" }), partsWith()],
    [taskWith({ dispute_id: null }), partsWith({ disputes: [{ dispute_id: "dsp_1", state: "open" }] })],
    [taskWith({ dispute_id: "dsp_1" }), partsWith({ disputes: [{ dispute_id: "dsp_1", state: "resolved" }] })],
  ] as const)
    assert.equal(fits(task, parts), false, JSON.stringify([task, parts]));
});
