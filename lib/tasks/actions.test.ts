import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import { anActor, aTask, NOW } from "#testing/rows.ts";
import { availableActions } from "./actions.ts";
import { TASK_STATES, type TaskState } from "./machine.ts";
import type { TaskRow } from "./row.ts";

const requester = anActor();
const provider = anActor();

function task(state: TaskState, overrides: Partial<TaskRow> = {}): TaskRow {
  const claimed = state === "open" ? {} : { providerId: provider.id };
  const funding = { contractId: newId("con"), amountPence: 500, funding: "required" as const };
  return aTask({
    requesterId: requester.id,
    state,
    ...claimed,
    ...(state === "accepted" ? funding : {}),
    ...overrides,
  });
}

// Who is offered what in which state: model.itest.ts.

const ready = (row: TaskRow, caller = requester) =>
  availableActions(row, caller, NOW)
    .filter((action) => action.ready)
    .map(({ action }) => action);

const pending = (checkoutUrl: string | null = null) =>
  ({ funding: "pending", pendingPayment: { id: newId("pay"), checkoutUrl } }) as const;

test("a paid agreement blocks the start until its funding is confirmed, and names the call that comes next", () => {
  const cases: [Partial<TaskRow>, RegExp][] = [
    [{ funding: "required" }, /payments\/intent\.php, then .*payments\/confirm\.php/],
    [pending(), /^A TEST payment is pending\. .*payments\/confirm\.php\.$/],
    [{ paymentMode: "LIVE", funding: "required" }, /payments\/intent\.php/],
    [{ paymentMode: "LIVE", ...pending("https://pay.example") }, /open checkout/],
  ];
  for (const [facts, remedy] of cases) {
    const start = availableActions(task("accepted", facts), provider, NOW).find(({ action }) => action === "start");
    assert.equal(start?.ready, false);
    assert.deepEqual(
      start?.blocked_by.map(({ gate, reason }) => [gate, reason]),
      [["funding", "funding_required"]],
    );
    assert.match(start?.blocked_by[0]?.remedy ?? "", remedy);
  }
  assert.ok(ready(task("accepted", { funding: "confirmed" }), provider).includes("start"));
  assert.ok(ready(task("accepted", { amountPence: 0, funding: "not_required" }), provider).includes("start"));
});

test("funding names its header, and in LIVE the checkout that is open", () => {
  const fund = (facts: Partial<TaskRow>) =>
    availableActions(task("accepted", facts), requester, NOW).find(({ action }) => action === "fund");
  assert.deepEqual(fund({})?.headers, ["Idempotency-Key"]);
  assert.equal(fund({ paymentMode: "LIVE" })?.checkout_url, undefined);
  const open = fund({ paymentMode: "LIVE", ...pending("https://pay.example/1") });
  assert.deepEqual([open?.ready, open?.checkout_url], [true, "https://pay.example/1"]);
});

test("values hold what is known of the required fields, and never a decision of the caller", () => {
  const DECISIONS = new Set([
    "terms",
    "scope",
    "amount_pence",
    "acceptance_criteria",
    "data_terms",
    "reason",
    "result",
    "outcome",
    "statement",
    "provider_public_id",
    "body",
    "text",
  ]);
  const facts = { contractId: newId("con"), termsHash: "sha256:0", disputeId: newId("dsp"), providerId: provider.id };
  for (const state of TASK_STATES)
    for (const caller of [requester, provider])
      for (const { fields, values } of availableActions(task(state, facts), caller, NOW))
        assert.deepEqual(
          fields.filter((name) => !DECISIONS.has(name)),
          Object.keys(values),
        );
});

test("money that was refunded or is disputed blocks the start again", () => {
  const lost = task("accepted", { paymentMode: "LIVE", funding: "confirmed", moneyLost: true });
  const start = availableActions(lost, provider, NOW).find(({ action }) => action === "start");
  assert.deepEqual(
    [start?.ready, start?.blocked_by.map(({ gate, reason }) => [gate, reason])],
    [false, [["funding", "funding_lost"]]],
  );
});

test("an open dispute blocks completion", () => {
  const row = task("submitted", { disputeId: newId("dsp") });
  const complete = availableActions(row, requester, NOW).find(({ action }) => action === "complete");
  assert.deepEqual(
    complete?.blocked_by.map(({ gate }) => gate),
    ["dispute"],
  );
});

test("an action that a gate blocks stays in the list, not ready, with the reason", () => {
  const held = availableActions(task("claimed", { heldAt: NOW }), requester, NOW);
  assert.deepEqual(
    held.map(({ action, blocked_by: [obstacle] }) => [action, obstacle?.reason]),
    [
      ["propose", "task_held"],
      ["cancel", "task_held"],
      ["dispute", "task_held"],
      ["dismiss", "task_held"],
      ["message", "task_held"],
    ],
  );
  const claim = availableActions(task("open", { skill: "sort" }), anActor({ risk: "high" }), NOW)[0];
  assert.deepEqual(
    claim?.blocked_by.map(({ gate }) => gate),
    ["skills", "risk"],
  );
});

test("choosing a quote is offered while there is one to choose, with its ID if it is the only one", () => {
  const quote = (amountPence = 400, seconds = 1) => ({
    id: newId("qte"),
    amountPence,
    until: new Date(NOW.getTime() + seconds * 1_000).toISOString(),
  });
  const only = quote();
  const choose = (quotes: ReturnType<typeof quote>[], needsTerms = true, caller = requester) =>
    availableActions(task("open", { openTo: "quotes", choice: { needsTerms, quotes } }), caller, NOW).find(
      ({ action }) => action === "choose_quote",
    );
  assert.deepEqual([choose([]), choose([quote(400, 0)]), choose([only], true, provider)], Array(3).fill(undefined));
  assert.deepEqual(
    [choose([only])?.fields, choose([only])?.values.quote_id, choose([only])?.ready],
    [["public_id", "quote_id", "terms"], only.id, true],
  );
  const several = choose([only, quote()], false);
  assert.deepEqual([several?.fields, several?.values.quote_id], [["public_id", "quote_id"], undefined]);
  const limits = { perTaskPence: 300, perDayPence: null, askAbovePence: null, allowed: [], blocked: [] };
  const limited = { ...requester, ownerLimits: { ...limits, spentTodayPence: 0 } };
  assert.equal(choose([only], true, limited)?.ready, false);
  assert.equal(choose([only, quote(300)], true, limited)?.ready, true, "the cheapest decides");
});

test("what an access token does not allow is shown with what it lacks", () => {
  const access = { kind: "access", id: "tok_1", name: "One", resource: null, sessionId: null, expiresAt: NOW } as const;
  const by = (caller: ServiceActor, scopes: Scope[], maxPricePence: number | null = null) => ({
    ...caller,
    credential: { ...access, scopes, maxPricePence },
  });
  const lacks = (row: TaskRow, caller: ServiceActor) =>
    Object.fromEntries(
      availableActions(row, caller, NOW).map(({ action, ready, blocked_by }) => [
        action,
        ready || blocked_by.map(({ gate, remedy }) => `${gate} ${/"(\w+)"/.exec(remedy)?.[1] ?? ""}`.trim()).join(),
      ]),
    );
  const row = task("proposed", { contractId: newId("con"), amountPence: 500 });
  const CASES: [ServiceActor, Record<string, true | string>][] = [
    [
      by(requester, ["order"]),
      { accept: true, decline: true, cancel: true, dispute: true, dismiss: true, message: true },
    ],
    [
      by(requester, ["work"]),
      Object.fromEntries(
        ["accept", "decline", "cancel", "dispute", "dismiss", "message"].map((each) => [each, "scope order"]),
      ),
    ],
    [by(provider, ["work"], 499), { accept: "access_limit", decline: true, dispute: true, message: true }],
    [
      by(provider, ["read"]),
      { accept: "scope work", decline: "scope work", dispute: "scope work", message: "scope work" },
    ],
  ];
  for (const [caller, expected] of CASES) assert.deepEqual(lacks(row, caller), expected);
});
