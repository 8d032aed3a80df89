import assert from "node:assert/strict";
import { test } from "node:test";
import { type Action, askedOf, isTriable } from "./steps.ts";

type Available = Parameters<typeof isTriable>[0];

const offered = (action: Action, reason?: [gate: string, reason: string]) =>
  ({
    action,
    ready: !reason,
    blocked_by: reason ? [{ gate: reason[0], reason: reason[1], remedy: "" }] : [],
  }) as unknown as Available;

test("the step that a moment asks for is the reader's turn, or else what an open or a late task offers", () => {
  const cases: [awaited: Parameters<typeof askedOf>[0]["awaited_action"], Available[], Action | undefined][] = [
    ["submit", [offered("give_up"), offered("submit"), offered("dispute")], "submit"],
    [null, [offered("cancel"), offered("dispute"), offered("dispute_statement")], undefined],
    [null, [offered("cancel"), offered("choose_quote")], "choose_quote"],
    [undefined, [offered("claim"), offered("message")], "claim"],
    [undefined, [offered("claim", ["selected", "quotes_wanted"]), offered("quote")], "quote"],
    [undefined, [offered("claim", ["domain", "unverified"])], "claim"],
    [null, [offered("dispute"), offered("leave")], "leave"],
    [null, [offered("conclude", ["clock", "too_early"])], undefined],
    [undefined, [], undefined],
  ];
  for (const [awaited, actions, expected] of cases) {
    const asked = askedOf({ awaited_action: awaited, available_actions: actions });
    assert.equal(asked?.action, expected, JSON.stringify(actions));
  }
});

test("a step that only the owner's limits block may be attempted, because the attempt asks the owner", () => {
  assert.equal(isTriable(offered("accept", ["owner_limits", "owner_approval"])), true);
  assert.equal(isTriable(offered("propose", ["owner_limits", "over_task_limit"])), true);
  assert.equal(isTriable(offered("accept", ["owner_limits", "over_task_limit"])), false);
  assert.equal(isTriable(offered("start", ["funding", "funding_required"])), false);
});
