import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { TaskState } from "#lib/tasks/machine.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { actAs, joined, type TestMember } from "#testing/community.ts";
import { atRisk, type Decision, held, hostHeld, hostOf, leaked, suspended, unproved } from "#testing/decisions.ts";
import {
  agentWithOffer,
  callAs,
  registerAgent,
  succeeded,
  type TestAgent,
  type TestOffer,
  verifiedAgent,
} from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { terms, type Verb } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, passTime, perform, taskAt, type Work } from "#testing/workflow.ts";
import { allowAction, denyAction, setRisk } from "./restrictions.ts";
import { DENIABLE as ALL, type Deniable as AnyDeniable } from "./schema.ts";

// Every action that can be denied, by each party who can take it, against every decision that can block the acting party, the
// other party or the task. The expected cells refuse; all others succeed.

type Role = "requester" | "provider";
type Member = TestAgent & TestMember;
type Scene = { actor: Member; other: Member; work: Work | undefined; disputeId?: string; quoteId?: string };
/** `waits`: what stops the other party stops the step, until it is lifted. */
type Outcome = "refused" | "goes on" | "waits";

let requester: Member;
let provider: Member;
let owner: TestOwner;
let offer: TestOffer;
testService({}, async () => {
  owner = await signedInOwner();
  [requester, provider] = [await member(), await member()];
  ({ offer } = await agentWithOffer({ price_pence: 0 }));
});

/** A verified identity with a community profile and an owner. */
async function member(): Promise<Member> {
  const agent = await verifiedAgent();
  const made = { ...agent, ...(await joined(agent)) };
  for (const table of ["identities", "profiles"])
    await pool().query(`UPDATE ${table} SET owner_id = $2 WHERE id = $1`, [agent.publicId, owner.ownerId]);
  return made;
}

/** An upload is not a JSON call, so `lib/tasks/files/` tests its gates. */
type Deniable = Exclude<AnyDeniable, "upload">;
const DENIABLE = ALL.filter((action) => action !== "upload");

/** The state from which an action succeeds and who can take it. Actions without a state need no task. */
const ACTIONS: Record<Deniable, { from?: TaskState; by: Role[]; task?: object }> = {
  create: { by: ["requester", "provider"] },
  order: { by: ["requester", "provider"] },
  prepare: { from: "open", by: ["requester"] },
  quote: { from: "open", by: ["provider"], task: { open_to: "quotes" } },
  choose_quote: { from: "open", by: ["requester"], task: { open_to: "quotes" } },
  claim: { from: "open", by: ["provider"] },
  release: { from: "claimed", by: ["provider"] },
  propose: { from: "claimed", by: ["requester"] },
  accept: { from: "proposed", by: ["requester", "provider"] },
  decline: { from: "proposed", by: ["requester", "provider"] },
  start: { from: "accepted", by: ["provider"] },
  submit: { from: "in_progress", by: ["provider"] },
  request_changes: { from: "submitted", by: ["requester"] },
  complete: { from: "submitted", by: ["requester"] },
  cancel: { from: "claimed", by: ["requester"] },
  select: { from: "open", by: ["requester"] },
  dismiss: { from: "claimed", by: ["requester"] },
  conclude: { from: "submitted", by: ["provider"] },
  leave: { from: "in_progress", by: ["requester"] },
  give_up: { from: "in_progress", by: ["provider"] },
  dispute: { from: "submitted", by: ["requester", "provider"] },
  dispute_statement: { from: "submitted", by: ["requester", "provider"] },
  message: { from: "claimed", by: ["requester", "provider"] },
  clarify: { from: "open", by: ["requester"] },
  fund: { from: "accepted", by: ["requester"] },
  confirm: { from: "accepted", by: ["requester"] },
  post: { by: ["requester", "provider"] },
};

async function scene(action: Deniable, role: Role): Promise<Scene> {
  const { from, task = {} } = ACTIONS[action];
  // Only funding needs a paid task; a free one starts without it.
  const amountPence = action === "fund" || action === "confirm" ? 500 : 0;
  const work =
    from && (await taskAt(from, { requester, provider }, { amountPence, task: { skill: "translation", ...task } }));
  if (work && (action === "leave" || action === "conclude")) await passTime(work.taskId, 31);
  if (action === "confirm" && work) await did(requester, "fund", work);
  const disputeId = action === "dispute_statement" && work ? await disputeAbout(work) : "";
  const quoteId =
    action === "choose_quote" && work ? (await send(provider, quote(work.taskId))).body.quote.quote_id : "";
  return role === "requester"
    ? { actor: requester, other: provider, work, disputeId, quoteId }
    : { actor: provider, other: requester, work, disputeId };
}

const send = (actor: TestAgent, [path, fields]: Call) =>
  callAs<QuoteMade>(actor, "POST", `/api/v1/${path}.php`, fields);

async function disputeAbout(work: Work): Promise<string> {
  return (await did(provider, "dispute", work)).dispute?.dispute_id ?? "";
}

type QuoteMade = { quote: { quote_id: string } };
type Call = [path: string, fields: Record<string, unknown>];

const quote = (task_id?: string): Call => ["jobs/quote", { task_id, amount_pence: 300, note: "By tomorrow." }];
const { amount_pence: _, ...quotedTerms } = terms(0);
const clientRequest = () => ({ client_request_id: newId("req") });

/** The calls of the actions that are no steps of `perform`. */
const CALLS: Partial<Record<Deniable, (scene: Scene) => Call>> = {
  create: () => ["jobs/create", { brief: "Count.", budget_pence: 0, ...clientRequest() }],
  order: () => ["jobs/order", { offer_id: offer.offer_id, input: "A text.", price_pence: 0, ...clientRequest() }],
  quote: ({ work }) => quote(work?.taskId),
  choose_quote: ({ quoteId }) => ["jobs/choose_quote", { quote_id: quoteId, terms: quotedTerms }],
  dispute_statement: ({ disputeId }) => ["jobs/dispute_statement", { dispute_id: disputeId, statement: "It is done." }],
  message: ({ work }) => ["jobs/message", { task_id: work?.taskId, body: "On Monday?" }],
  clarify: ({ work }) => ["jobs/clarify", { task_id: work?.taskId, text: "By Monday." }],
};

async function attempt(action: Deniable, scene: Scene) {
  const { actor, work } = scene;
  const own = CALLS[action];
  if (own) return send(actor, own(scene));
  return action === "post"
    ? actAs(actor, "post", { title: "A title", body: "Some text." })
    : perform(actor, action as Verb, work as Work);
}

/** At once, and not by as many acts as the first row tries one by one. */
async function denyJust(actions: readonly Deniable[], { publicId }: Member): Promise<void> {
  for (const table of ["identities", "profiles"])
    await pool().query(`UPDATE ${table} SET denied_actions = $2 WHERE id = $1`, [publicId, actions]);
}
/** What an action is a part of or does as well, whose denial concerns it too. */
const ALSO: Partial<Record<Deniable, Deniable[]>> = {
  confirm: ["fund"],
  quote: ["claim"],
  order: ["create", "prepare", "propose"],
};
const others = (action: Deniable) => DENIABLE.filter((each) => each !== action && !ALSO[action]?.includes(each));
const denied = ({ actor: { publicId } }: Scene, action: Deniable): Decision => ({
  put: () => denyAction(admin, { publicId, action, reason }),
  lift: () => allowAction(admin, { publicId, action, reason }),
});
const othersDenied = ({ actor, other }: Scene, action: Deniable): Decision => ({
  put: () => Promise.all([denyJust(others(action), actor), denyJust(DENIABLE, other)]),
  lift: () => Promise.all([denyJust([], actor), denyJust([], other)]),
});
const taskHeld = ({ work }: Scene): Decision =>
  work ? held(work.taskId) : { put: async () => undefined, lift: async () => undefined };
const riskyHost = ({ actor }: Scene): Decision => {
  const rate = async (own: "low" | "normal", ofHost: "low" | "high") => {
    await setRisk(admin, { publicId: actor.publicId, risk: own, reason });
    await setRisk(admin, { publicId: await hostOf(actor), risk: ofHost, reason });
  };
  return { put: () => rate("low", "high"), lift: () => rate("normal", "low") };
};
const frozen = ({ publicId }: Member): Decision => {
  const act = (path: string) => async () =>
    succeeded(await callAsOwner(owner, "POST", `/api/v1/owners/${path}.php`, { public_id: publicId }));
  return { put: act("freeze"), lift: act("thaw") };
};
const unskilled = ({ publicId }: Member): Decision => {
  const set = (skill: string) => () =>
    pool().query("UPDATE identities SET skills = $2 WHERE id = $1", [publicId, [skill]]);
  return { put: set("other"), lift: set("translation") };
};
const ofActor = (make: (agent: Member) => Decision) => (scene: Scene) => make(scene.actor);
const ofOther = (make: (agent: Member) => Decision) => (scene: Scene) => make(scene.other);
const identityHeld = ({ publicId }: Member) => held(publicId);

const refused = (): Outcome => "refused";
const goesOn = (): Outcome => "goes on";
const stopsTheEnd = (action: Deniable): Outcome => (action === "conclude" ? "waits" : "goes on");
/** A suspended provider could not claim the task that it is chosen for. */
const stopsChoosing = (action: Deniable): Outcome => (action === "choose_quote" ? "waits" : stopsTheEnd(action));
const stopsWork = (action: Deniable): Outcome => (["claim", "quote", "start"].includes(action) ? "refused" : "goes on");
/** An administrator who holds a task hears both sides before deciding. */
const stopsSteps = (action: Deniable): Outcome =>
  ACTIONS[action].from && action !== "dispute_statement" ? "refused" : "goes on";

type Row = [
  name: string,
  make: (scene: Scene, action: Deniable) => Decision,
  outcome: (action: Deniable) => Outcome,
  gate?: readonly [string, string],
];

/** Each decision, what it does to an action, and the gate and its reason: none for a suspension, which is refused before the gates. */
const MATRIX: Row[] = [
  ["just this action denied to who acts", denied, refused, ["permission", "denied"]],
  ["every other action denied to who acts, and every one to the other party", othersDenied, goesOn],
  ["who acts is held", ofActor(identityHeld), refused, ["hold", "identity_held"]],
  ["the other party is held", ofOther(identityHeld), stopsTheEnd],
  ["the host of who acts is held", ofActor(hostHeld), refused, ["hold", "host_held"]],
  ["the host of the other party is held", ofOther(hostHeld), stopsTheEnd],
  ["the task is held", taskHeld, stopsSteps, ["hold", "task_held"]],
  ["who acts is frozen by its owner", ofActor(frozen), refused, ["hold", "owner_frozen"]],
  ["the other party is frozen by its owner", ofOther(frozen), goesOn],
  ["the token of who acts was reported as leaked", ofActor(leaked), refused, ["hold", "leaked_token"]],
  ["the token of the other party was reported as leaked", ofOther(leaked), stopsTheEnd],
  ["who acts has a low risk", ofActor((agent) => atRisk(agent, "low")), goesOn],
  ["who acts has a high risk", ofActor((agent) => atRisk(agent, "high")), stopsWork, ["risk", "high_risk"]],
  ["the host of who acts has a high risk, and its own is low", riskyHost, stopsWork, ["risk", "high_risk"]],
  ["the other party has a high risk", ofOther((agent) => atRisk(agent, "high")), goesOn],
  // Of the domain's states that block nothing, the last one stands.
  ["the domain of who acts is in grace", ofActor((agent) => unproved(agent, "grace")), goesOn],
  [
    "the domain of who acts is unverified",
    ofActor((agent) => unproved(agent, "unverified")),
    stopsWork,
    ["domain", "unverified"],
  ],
  ["the domain of who acts is lapsed", ofActor((agent) => unproved(agent, "lapsed")), stopsWork, ["domain", "lapsed"]],
  ["who acts lacks the skill of the task", ofActor(unskilled), stopsWork, ["skills", "missing_skill"]],
  ["who acts is suspended", ofActor(suspended), refused],
  ["the other party is suspended", ofOther(suspended), stopsChoosing],
];

test("the matrix has a row for every action that can be denied", () => {
  assert.deepEqual(Object.keys(ACTIONS).sort(), [...DENIABLE].sort());
});

/** What blocks nothing may stand together, and is tried together. Only one risk of who acts can stand at a time. */
function trials(rows: Row[]): Row[][] {
  const { true: risks = [], false: rest = [] } = Object.groupBy(rows, ([name]) => `${/who acts .*risk/.test(name)}`);
  return [[...rest, ...risks.slice(0, 1)], ...risks.slice(1).map((row) => [row])];
}

for (const action of DENIABLE) {
  const passes = ([, , outcome]: Row) => outcome(action) === "goes on";
  for (const role of ACTIONS[action].by) {
    test(`${action} by the ${role}: refused by each decision that should block it, until that is lifted`, async () => {
      const at = await scene(action, role);
      for (const [name, make, outcome, gate] of MATRIX.filter((row) => !passes(row))) {
        const { put, lift } = make(at, action);
        await put();
        const { status, error } = await changesNothing(`${action}, ${name}`, () => attempt(action, at));
        const code = gate ? "gate_refused" : action === "post" ? "profile_cannot_participate" : "identity_suspended";
        const refusal = outcome(action) === "waits" ? [409, "state_conflict"] : [403, code];
        assert.deepEqual([status, error?.code], refusal, name);
        // A decision before this one that was not lifted would be named as well.
        const blocked = error?.gates?.filter(({ passed }) => !passed).map((result) => [result.gate, result.reason]);
        if (gate) assert.deepEqual(blocked, [gate], name);
        await lift();
      }
      const { error } = await attempt(action, at);
      assert.equal(error, undefined, `all lifted: ${error?.code} ${JSON.stringify(error?.gates)}`);
    });

    test(`${action} by the ${role}: goes on under every other decision`, async () => {
      for (const rows of trials(MATRIX.filter(passes))) {
        const at = await scene(action, role);
        const decisions = rows.map(([, make]) => make(at, action));
        for (const { put } of decisions) await put();
        const { error } = await attempt(action, at);
        for (const { lift } of decisions.toReversed()) await lift();
        const names = rows.map(([name]) => name).join("; ");
        assert.equal(error, undefined, `${names}: ${error?.code} ${JSON.stringify(error?.gates)}`);
      }
    });
  }
}

test("several obstacles are reported together with their remedies, and a parameter that would override them is unknown", async () => {
  const work = await taskAt("open", { requester, provider }, { task: { skill: "translation" } });
  const outsider = await registerAgent({ skills: ["other"] });
  await setRisk(admin, { publicId: outsider.publicId, risk: "high", reason });
  const { error } = await perform(outsider, "claim", work);
  assert.deepEqual([error?.code, error?.final, error?.retryable], ["gate_refused", true, false]);
  for (const { passed, reason, remedy } of error?.gates ?? []) {
    assert.deepEqual([reason === null, remedy === null], [passed, passed]);
    if (!passed) assert.match(remedy ?? "", /^[A-Z].+\.$/);
  }
  assert.deepEqual(
    error?.gates?.map(({ gate, passed }) => [gate, passed]),
    [
      ["hold", true],
      ["permission", true],
      ["suspension", true],
      ["domain", false],
      ["skills", false],
      ["risk", false],
      ["not_self", true],
      ["selected", true],
      ["dismissed", true],
    ],
  );
  for (const name of ["override", "force", "bypass_gates"])
    assert.equal((await perform(outsider, "claim", work, { [name]: true })).error?.code, "invalid_input");
});
