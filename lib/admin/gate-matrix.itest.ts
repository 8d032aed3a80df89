import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { TaskState } from "#lib/tasks/machine.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, testService } from "#testing/client.ts";
import { actAs, joined, type TestMember } from "#testing/community.ts";
import {
  agentWithOffer,
  callAs,
  setDomainStatus,
  succeeded,
  type TestAgent,
  type TestOffer,
  verifiedAgent,
} from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { terms, type Verb } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, passTime, perform, taskAt, type Work } from "#testing/workflow.ts";
import { checkDomain } from "./check-domain.ts";
import { hold, unhold } from "./hold.ts";
import { reissueToken } from "./reissue.ts";
import { allowAction, denyAction, setRisk } from "./restrictions.ts";
import { DENIABLE as ALL, type Deniable as AnyDeniable } from "./schema.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

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

/** The state from which an action succeeds and who can take it. Actions without a state need no task. */
/** An upload is not a JSON call, so `lib/tasks/files/` tests its gates. */
type Deniable = Exclude<AnyDeniable, "upload">;
const DENIABLE = ALL.filter((action) => action !== "upload");

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
  const quoteId = action === "choose_quote" && work ? (await quote(provider, work)).body.quote.quote_id : "";
  return role === "requester"
    ? { actor: requester, other: provider, work, disputeId, quoteId }
    : { actor: provider, other: requester, work, disputeId };
}

const quote = (agent: TestAgent, work: Work) =>
  callAs<QuoteMade>(agent, "POST", "/api/v1/jobs/quote.php", {
    ...{ task_id: work.taskId, amount_pence: 300, note: "By tomorrow." },
  });

async function disputeAbout(work: Work): Promise<string> {
  return (await did(provider, "dispute", work)).dispute?.dispute_id ?? "";
}

type QuoteMade = { quote: { quote_id: string } };

async function attempt(action: Deniable, { actor, work, disputeId, quoteId }: Scene) {
  if (action === "quote") return quote(actor, work as Work);
  if (action === "choose_quote") {
    const { amount_pence: _, ...others } = terms(0);
    return callAs(actor, "POST", "/api/v1/jobs/choose_quote.php", { quote_id: quoteId, terms: others });
  }
  if (action === "dispute_statement")
    return callAs(actor, "POST", "/api/v1/jobs/dispute_statement.php", {
      ...{ dispute_id: disputeId, statement: "The work is done as agreed." },
    });
  const task_id = work?.taskId;
  if (action === "message") return callAs(actor, "POST", "/api/v1/jobs/message.php", { task_id, body: "On Monday?" });
  if (action === "clarify") return callAs(actor, "POST", "/api/v1/jobs/clarify.php", { task_id, text: "By Monday." });
  if (action === "post") return actAs(actor, "post", { title: "A title", body: "Some text." });
  if (action === "order")
    return callAs(actor, "POST", "/api/v1/jobs/order.php", {
      ...{ offer_id: offer.offer_id, input: "A text.", price_pence: 0, client_request_id: newId("req") },
    });
  if (action !== "create") return perform(actor, action satisfies Verb, work as Work);
  const fields = { brief: "Count.", budget_pence: 0, client_request_id: newId("req") };
  return callAs(actor, "POST", "/api/v1/jobs/create.php", fields);
}

type Cell = {
  name: string;
  put(scene: Scene, action: Deniable): Promise<unknown>;
  lift(scene: Scene, action: Deniable): Promise<unknown>;
  outcome(action: Deniable): Outcome;
  /** The gate and its reason; undefined for a suspension, which is refused before the gates. */
  gate?: readonly [string, string];
};

const always = (outcome: Outcome) => () => outcome;
const stopsTheEnd = (action: Deniable): Outcome => (action === "conclude" ? "waits" : "goes on");
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
const risk = (who: "actor" | "other", level: "low" | "normal" | "high") => ({
  put: (scene: Scene) => setRisk(admin, { publicId: scene[who].publicId, risk: level, reason }),
  lift: (scene: Scene) => setRisk(admin, { publicId: scene[who].publicId, risk: "normal", reason }),
});
const held = (of: (scene: Scene) => string | undefined) => ({
  put: async (scene: Scene) => of(scene) && hold(admin, { subjectId: of(scene) as string, reason }),
  lift: async (scene: Scene) => of(scene) && unhold(admin, { subjectId: of(scene) as string, reason }),
});
const suspended = (who: "actor" | "other") => ({
  put: (scene: Scene) => suspendIdentity(admin, { publicId: scene[who].publicId, reason }),
  lift: (scene: Scene) => restoreIdentity(admin, { publicId: scene[who].publicId, reason }),
});
const frozen = (who: "actor" | "other") => {
  const act = (path: string) => async (scene: Scene) =>
    succeeded(await callAsOwner(owner, "POST", `/api/v1/owners/${path}.php`, { public_id: scene[who].publicId }));
  return { put: act("freeze"), lift: act("thaw") };
};
const leaked = (who: "actor" | "other") => ({
  put: (scene: Scene) => call("POST", "/api/v1/agents/report_leak.php", { body: { secret: scene[who].token } }),
  async lift(scene: Scene) {
    const { publicId } = scene[who];
    await checkDomain(admin, { publicId, reason });
    scene[who].token = (await reissueToken(admin, { publicId, reason })).management_token;
  },
});

const offersWork = (action: Deniable): Outcome =>
  ["claim", "quote", "start"].includes(action) ? "refused" : "goes on";
const domain = (status: "lapsed" | "unverified"): Cell => ({
  name: `the domain of who acts is ${status}`,
  put: ({ actor }) => setDomainStatus(actor, status),
  lift: ({ actor }) => setDomainStatus(actor, "verified"),
  outcome: offersWork,
  gate: ["domain", status],
});
const setSkills = (agent: Member, skills: string[]) =>
  pool().query("UPDATE identities SET skills = $2 WHERE id = $1", [agent.publicId, skills]);

const hostSubject = async ({ publicId: id }: Member) =>
  `host:${(await prisma().identity.findUniqueOrThrow({ where: { id } })).host}`;

const CELLS: Cell[] = [
  {
    name: "just this action denied to who acts",
    put: ({ actor: { publicId } }, action) => denyAction(admin, { publicId, action, reason }),
    lift: ({ actor: { publicId } }, action) => allowAction(admin, { publicId, action, reason }),
    outcome: always("refused"),
    gate: ["permission", "denied"],
  },
  {
    name: "every other action denied to who acts, and every one to the other party",
    put: async ({ actor, other }, action) => {
      await denyJust(others(action), actor);
      await denyJust(DENIABLE, other);
    },
    lift: async ({ actor, other }) => {
      await denyJust([], actor);
      await denyJust([], other);
    },
    outcome: always("goes on"),
  },
  {
    name: "who acts is held",
    ...held(({ actor }) => actor.publicId),
    outcome: always("refused"),
    gate: ["hold", "identity_held"],
  },
  {
    name: "the host of who acts is held",
    put: async ({ actor }) => hold(admin, { subjectId: await hostSubject(actor), reason }),
    lift: async ({ actor }) => unhold(admin, { subjectId: await hostSubject(actor), reason }),
    outcome: always("refused"),
    gate: ["hold", "host_held"],
  },
  {
    name: "the host of the other party is held",
    put: async ({ other }) => hold(admin, { subjectId: await hostSubject(other), reason }),
    lift: async ({ other }) => unhold(admin, { subjectId: await hostSubject(other), reason }),
    outcome: stopsTheEnd,
  },
  { name: "the other party is held", ...held(({ other }) => other.publicId), outcome: stopsTheEnd },
  {
    name: "the task is held",
    ...held(({ work }) => work?.taskId),
    // An administrator who holds a task hears both sides before deciding.
    outcome: (action) => (ACTIONS[action].from && action !== "dispute_statement" ? "refused" : "goes on"),
    gate: ["hold", "task_held"],
  },
  {
    name: "who acts is frozen by its owner",
    ...frozen("actor"),
    outcome: always("refused"),
    gate: ["hold", "owner_frozen"],
  },
  { name: "the other party is frozen by its owner", ...frozen("other"), outcome: always("goes on") },
  {
    name: "the token of who acts was reported as leaked",
    ...leaked("actor"),
    outcome: always("refused"),
    gate: ["hold", "leaked_token"],
  },
  { name: "the token of the other party was reported as leaked", ...leaked("other"), outcome: stopsTheEnd },
  { name: "who acts has a low risk", ...risk("actor", "low"), outcome: always("goes on") },
  { name: "who acts has a normal risk", ...risk("actor", "normal"), outcome: always("goes on") },
  {
    name: "who acts has a high risk",
    ...risk("actor", "high"),
    outcome: offersWork,
    gate: ["risk", "high_risk"],
  },
  {
    name: "the host of who acts has a high risk, and its own is low",
    put: async ({ actor }) => {
      await setRisk(admin, { publicId: actor.publicId, risk: "low", reason });
      await setRisk(admin, { publicId: await hostSubject(actor), risk: "high", reason });
    },
    lift: async ({ actor }) => {
      await setRisk(admin, { publicId: await hostSubject(actor), risk: "low", reason });
      await setRisk(admin, { publicId: actor.publicId, risk: "normal", reason });
    },
    outcome: offersWork,
    gate: ["risk", "high_risk"],
  },
  { name: "the other party has a high risk", ...risk("other", "high"), outcome: always("goes on") },
  domain("lapsed"),
  domain("unverified"),
  {
    name: "who acts lacks the skill of the task",
    put: ({ actor }) => setSkills(actor, ["other"]),
    lift: ({ actor }) => setSkills(actor, ["translation"]),
    outcome: offersWork,
    gate: ["skills", "missing_skill"],
  },
  { name: "who acts is suspended", ...suspended("actor"), outcome: always("refused") },
  {
    name: "the other party is suspended",
    ...suspended("other"),
    // A suspended provider could not claim the task that it is chosen for.
    outcome: (action) => (action === "choose_quote" ? "waits" : stopsTheEnd(action)),
  },
];

test("the matrix has a row for every action that can be denied", () => {
  assert.deepEqual(Object.keys(ACTIONS).sort(), [...DENIABLE].sort());
});

/** What blocks nothing may stand together, and is tried together. Only one risk of a subject can stand at a time. */
function trials(cells: Cell[]): Cell[][] {
  const { true: risks = [], false: rest = [] } = Object.groupBy(cells, ({ name }) => `${name.includes("risk")}`);
  return [rest, ...risks.map((cell) => [cell])];
}

for (const action of DENIABLE) {
  const [refusing, passing] = [
    CELLS.filter((each) => each.outcome(action) !== "goes on"),
    CELLS.filter((each) => each.outcome(action) === "goes on"),
  ];
  for (const role of ACTIONS[action].by) {
    test(`${action} by the ${role}: refused by each decision that should block it, until that is lifted`, async () => {
      const at = await scene(action, role);
      for (const { name, put, lift, gate, outcome } of refusing) {
        await put(at, action);
        const { status, error } = await changesNothing(`${action}, ${name}`, () => attempt(action, at));
        const code = gate ? "gate_refused" : action === "post" ? "profile_cannot_participate" : "identity_suspended";
        const refusal = outcome(action) === "waits" ? [409, "state_conflict"] : [403, code];
        assert.deepEqual([status, error?.code], refusal, name);
        // A decision before this one that was not lifted would be named as well.
        const blocked = error?.gates?.filter(({ passed }) => !passed).map((result) => [result.gate, result.reason]);
        if (gate) assert.deepEqual(blocked, [gate], name);
        await lift(at, action);
      }
      const { error } = await attempt(action, at);
      assert.equal(error, undefined, `all lifted: ${error?.code} ${JSON.stringify(error?.gates)}`);
    });

    test(`${action} by the ${role}: goes on under every other decision`, async () => {
      for (const cells of trials(passing)) {
        const at = await scene(action, role);
        for (const { put } of cells) await put(at, action);
        const { error } = await attempt(action, at);
        for (const { lift } of cells.toReversed()) await lift(at, action);
        const names = cells.map(({ name }) => name).join("; ");
        assert.equal(error, undefined, `${names}: ${error?.code} ${JSON.stringify(error?.gates)}`);
      }
    });
  }
}
