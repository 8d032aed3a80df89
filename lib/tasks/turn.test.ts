import assert from "node:assert/strict";
import { test } from "node:test";
import { type AwaitedAction, awaitedAction, type Turn } from "./turn.ts";

const ROLES = ["requester", "provider"] as const;
const NOTHING: Omit<Turn, "role"> = {
  ...{ state: "open", hasAccepted: false, funding: "not_needed" },
  ...{ isHeld: false, isDisputed: false, owesStatement: false },
};

test("each moment asks one party for one step, or nobody", () => {
  const table: [Partial<Turn>, requester: AwaitedAction | undefined, provider: AwaitedAction | undefined][] = [
    [{ state: "open" }, undefined, "claim"],
    [{ state: "claimed" }, "propose", undefined],
    [{ state: "proposed" }, "accept", "accept"],
    [{ state: "proposed", hasAccepted: true }, undefined, undefined],
    [{ state: "accepted", funding: "needed" }, "fund", undefined],
    [{ state: "accepted", funding: "unconfirmed" }, "confirm", undefined],
    [{ state: "accepted", funding: "pending" }, undefined, undefined],
    [{ state: "accepted" }, undefined, "start"],
    [{ state: "in_progress" }, undefined, "submit"],
    [{ state: "submitted" }, "complete", undefined],
    [{ state: "submitted", isDisputed: true }, undefined, undefined],
    [{ state: "submitted", isDisputed: true, owesStatement: true }, "dispute_statement", "dispute_statement"],
    [{ state: "in_progress", isHeld: true, owesStatement: true }, undefined, undefined],
    [{ state: "completed" }, undefined, undefined],
    [{ state: "cancelled" }, undefined, undefined],
    [{ state: "expired" }, undefined, undefined],
  ];
  for (const [facts, ...expected] of table)
    assert.deepEqual(
      ROLES.map((role) => awaitedAction({ ...NOTHING, ...facts, role })),
      expected,
      JSON.stringify(facts),
    );
});
