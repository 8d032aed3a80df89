import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import type { ErrorCode } from "#lib/kernel/errors.ts";
import { testService } from "#testing/client.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { VERBS, type Verb } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, passTime, perform, storedState, taskAt, type Work } from "#testing/workflow.ts";
import { TASK_STATES, type TaskState } from "./machine.ts";

const ROLES = ["requester", "provider", "verified", "unverified", "visitor"] as const;
type Role = (typeof ROLES)[number];
type Setting = { visibility: "listed" | "unlisted"; selected: boolean };

const BY: Record<Exclude<Verb, "claim" | "confirm">, Role[]> = {
  prepare: ["requester"],
  release: ["provider"],
  propose: ["requester"],
  accept: ["requester", "provider"],
  decline: ["requester", "provider"],
  fund: ["requester"],
  start: ["provider"],
  submit: ["provider"],
  request_changes: ["requester"],
  complete: ["requester"],
  cancel: ["requester"],
  dispute: ["requester", "provider"],
  select: ["requester"],
  dismiss: ["requester"],
  conclude: ["provider"],
  leave: ["requester"],
  give_up: ["provider"],
};
const BEFORE_WORK: TaskState[] = ["open", "claimed", "proposed", "accepted"];
const UNDER_WAY: TaskState[] = ["claimed", "proposed", "accepted", "in_progress", "submitted"];
const AGREED: TaskState[] = ["accepted", "in_progress", "submitted", "completed", "cancelled"];

/** Where a step leads from a state: another state, the same one, or nowhere. */
function target(verb: Verb, state: TaskState): TaskState | undefined {
  const table: Record<Verb, Partial<Record<TaskState, TaskState>>> = {
    prepare: { open: "open" },
    claim: { open: "claimed" },
    release: { claimed: "open" },
    propose: { claimed: "proposed" },
    accept: { proposed: "proposed" },
    decline: { proposed: "claimed" },
    fund: { accepted: "accepted" },
    confirm: { accepted: "accepted" },
    start: { accepted: "in_progress" },
    submit: { in_progress: "submitted" },
    request_changes: { submitted: "in_progress" },
    complete: { submitted: "completed" },
    cancel: Object.fromEntries(BEFORE_WORK.map((state) => [state, "cancelled"])),
    dispute: Object.fromEntries(UNDER_WAY.map((state) => [state, state])),
    select: { open: "open" },
    dismiss: { claimed: "open", proposed: "open" },
    conclude: { submitted: "completed" },
    leave: { accepted: "cancelled", in_progress: "cancelled" },
    give_up: { accepted: "cancelled", in_progress: "cancelled" },
  };
  return table[verb][state];
}

/** What the interface promises, worked out from the rules and not from the code: a refusal, "same" or "done". */
function promised(
  verb: Verb,
  state: TaskState,
  role: Role,
  { visibility, selected }: Setting,
): ErrorCode | "same" | "done" {
  if (role === "visitor") return "invalid_credential";
  const claimed = state !== "open" && state !== "expired";
  const isParty = role === "requester" || (role === "provider" && (claimed || selected));
  const hasContract = AGREED.includes(state) || state === "proposed";
  if (verb === "confirm") {
    // Only the parties of the agreement know that there is a payment.
    if ((role !== "requester" && role !== "provider") || !AGREED.includes(state)) return "not_found";
    if (role === "provider") return "forbidden";
    if (state === "accepted") return "done";
    return state === "cancelled" ? "state_conflict" : "same";
  }
  if (["accept", "decline", "fund"].includes(verb) && !hasContract) return "not_found";
  const gated = role === "requester" || role === "unverified" || (selected && role !== "provider");
  if (visibility === "unlisted" && !isParty) {
    const isInvited = verb === "claim" && state === "open" && role !== "unverified" && !selected;
    return isInvited ? "done" : "not_found";
  }
  // Who is selected has not claimed yet: it is a party, but not the provider.
  const mayAct = role === "provider" ? claimed : true;
  if (verb !== "claim" && !(BY[verb].includes(role) && mayAct)) return "forbidden";
  if (verb === "accept" && AGREED.includes(state)) return "same";
  if (target(verb, state) === undefined) {
    // What was proposed or agreed, the contract itself refuses; a task past its time says so.
    return state === "expired" ? "task_expired" : "state_conflict";
  }
  if (verb === "claim" && gated) return "gate_refused";
  if (verb === "start") return "funding_required";
  return "done";
}

let agents: Record<Exclude<Role, "visitor">, TestAgent>;
testService({}, async () => {
  agents = {
    requester: await registerAgent(),
    provider: await verifiedAgent(),
    verified: await verifiedAgent(),
    unverified: await registerAgent(),
  };
  // More tasks stay open than an unverified requester may have.
  await pool().query("UPDATE identities SET task_quota = 1000");
});

async function make(state: TaskState, { visibility, selected }: Setting): Promise<Work> {
  const task = { visibility, ...(selected ? { provider_public_id: agents.provider.publicId } : {}) };
  const work = await taskAt(state, agents, { task });
  // A payment under way: it can be played out while the agreement waits for its money.
  if (UNDER_WAY.includes(state) && state !== "claimed" && state !== "proposed") await passTime(work.taskId, 31);
  if (state === "accepted") assert.ok(!(await perform(agents.requester, "fund", work)).error);
  return work;
}

const SETTINGS: Setting[] = [
  { visibility: "listed", selected: false },
  { visibility: "listed", selected: true },
  { visibility: "unlisted", selected: false },
  { visibility: "unlisted", selected: true },
];

for (const setting of SETTINGS) {
  for (const state of TASK_STATES) {
    const task = `${setting.visibility === "listed" ? "a listed" : "an unlisted"} task${setting.selected ? " with a selected provider" : ""} that is ${state}`;

    test(`${task} does what it promises to every caller, and nothing on a refusal`, async () => {
      const shared = await make(state, setting);
      for (const verb of VERBS) {
        const promises = ROLES.map((role) => ({ role, promise: promised(verb, state, role, setting) }));
        await changesNothing(verb, async () => {
          for (const { role, promise } of promises.filter(({ promise }) => promise !== "done")) {
            const { error } = await perform(agentOf(role), verb, shared);
            assert.equal(error?.code, promise === "same" ? undefined : promise, `${verb} by ${role}`);
            if (promise === "state_conflict")
              assert.match(error?.message ?? "", toldOf(state, role), `${verb} by ${role}`);
          }
        });
        for (const { role } of promises.filter(({ promise }) => promise === "done")) {
          const own = await make(state, setting);
          const { error } = await perform(agentOf(role), verb, own);
          assert.equal(error?.code, undefined, `${verb} by ${role}`);
          assert.equal(await storedState(own.taskId), target(verb, state), `${verb} by ${role}`);
        }
      }
    });
  }
}

// Who has to do what in each state, with a payment under way while the task is accepted. Nobody, where the task has ended.
const NEXT: Partial<Record<TaskState, [who: "requester" | "provider", call: string]>> = {
  claimed: ["requester", "contracts/create"],
  accepted: ["requester", "payments/confirm"],
  in_progress: ["provider", "jobs/submit"],
  submitted: ["requester", "jobs/complete"],
};

/** What a caller out of turn is told: the task's state and the next step; strangers learn the state alone. */
function toldOf(state: TaskState, role: Role): RegExp {
  const next = NEXT[state];
  const isStranger = role === "verified" || role === "unverified";
  if (state === "open") return /is open\..* A provider must claim it|is open\..* The selected provider must claim it/;
  // Both accept at once, or the requester first: the second acceptance is the provider's.
  if (state === "proposed")
    return isStranger
      ? /is proposed\..* Only its parties/
      : /is proposed\..* must accept the terms with contracts\/accept\.php next\.$/;
  if (!next) return new RegExp(`is ${state}\\b.* It has ended\\.$`);
  if (isStranger) return new RegExp(`is ${state}\\b.* Only its parties can take the next step\\.$`);
  const [who, path] = next;
  const name = who === role ? "You" : `The ${who}`;
  return new RegExp(`is ${state}\\b.* ${name} must .*${path.replace("/", "\\/")}\\.php.* next\\.$`);
}

function agentOf(role: Role): TestAgent | undefined {
  return role === "visitor" ? undefined : agents[role];
}

test("a free agreement can start at once, and a paid one when its payment has succeeded", async () => {
  const free = await taskAt("accepted", agents, { amountPence: 0 });
  assert.equal((await perform(agents.requester, "fund", free)).error?.code, "state_conflict");
  assert.equal((await perform(agents.provider, "start", free)).error, undefined);

  const paid = await taskAt("accepted", agents);
  await perform(agents.requester, "fund", paid);
  assert.equal((await perform(agents.provider, "start", paid)).error?.code, "funding_required");
  await perform(agents.requester, "confirm", paid, { outcome: "decline" });
  assert.equal((await perform(agents.provider, "start", paid)).error?.code, "funding_required");
  await perform(agents.requester, "fund", paid);
  await perform(agents.requester, "confirm", paid);
  assert.equal((await perform(agents.requester, "cancel", paid)).error?.code, "state_conflict");
  assert.equal((await perform(agents.provider, "start", paid)).error, undefined);
});

for (const amountPence of [0, 999]) {
  test(`accepting ${amountPence} pence again gives the same answer at every later step`, async () => {
    const { requester, provider } = agents;
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
  const { requester, provider } = agents;
  const work = await taskAt("proposed", { requester, provider });
  await did(requester, "accept", work);
  const answer = await did(provider, "accept", work);
  await did(requester, "cancel", work);
  assert.deepEqual(await did(provider, "accept", work), answer);
});
