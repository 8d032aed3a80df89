import assert from "node:assert/strict";
import { test } from "node:test";
import { hold } from "#lib/admin/hold.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { encodeCursor } from "#lib/kernel/cursor.ts";
import { type Endpoint, publishedInput } from "#lib/kernel/endpoint.ts";
import { type IdPrefix, newId } from "#lib/kernel/ids.ts";
import { TASK_STATES } from "#lib/tasks/machine.ts";
import { withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { actAsOwner, joined, member, publish } from "#testing/community.ts";
import {
  answerTo,
  type Caller,
  type Callers,
  callersOf,
  fieldsBeside,
  labelOf,
  prefixesOf,
} from "#testing/every-endpoint.ts";
import { callAs, publishOffer, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { put } from "#testing/files.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, taskAt } from "#testing/workflow.ts";
import { callTool } from "./mcp/call-tool.ts";
import { TOOLS } from "./mcp/tools.ts";
import { ADMIN_ENDPOINTS, ENDPOINTS } from "./registry.ts";

// Every endpoint is sent the IDs of others' things that nobody else may see, field by field, as each kind of stranger. The answer must
// be, byte for byte, the one to an ID that does not exist. Endpoints and fields come from the registry, so that new ones are included.

/** A word in the texts of everything that is hidden. */
const CANARY = "zebrafinch";

/** IDs of the victims' things that are hidden from strangers, by prefix; and what has an ID in another form, by field. */
const hidden: Partial<Record<IdPrefix, string[]>> = {};
const otherForms: Record<string, { real: unknown; missing: unknown }[]> = {};
let strangers: Callers;

testService({}, async () => {
  const agent = await verifiedAgent();
  strangers = { agent, member: await joined(agent), owned: await member() };

  const parties = {
    requester: await verifiedAgent({ name: `Requester ${CANARY}`, description: CANARY }),
    provider: await verifiedAgent({ name: `Provider ${CANARY}`, description: CANARY }),
  };
  const { requester, provider } = parties;
  const texts = { title: CANARY, brief: CANARY };
  const task = { ...texts, visibility: "unlisted", provider_public_id: provider.publicId };
  const options = { task, terms: { scope: CANARY } };
  const works = [];
  for (const state of TASK_STATES) works.push(await taskAt(state, parties, options));
  const disputes = [];
  for (const state of ["claimed", "submitted"] as const) {
    const work = await taskAt(state, parties, options);
    works.push(work);
    disputes.push((await did(requester, "dispute", work)).dispute?.dispute_id ?? "");
  }
  const heldTask = await taskAt("submitted", parties, options);
  await hold(admin, { subjectId: heldTask.taskId, reason });
  works.push(heldTask);
  const shared = await taskAt("in_progress", parties, options);
  works.push(shared);
  const files = [];
  for (const name of [CANARY, `${CANARY}.txt`])
    files.push((await put(provider, { taskId: shared.taskId, purpose: "result", name })).file.file_id);
  succeeded(await callAs(provider, "POST", "/api/v1/jobs/remove_file.php", { file_id: files[0] }));
  // What is written about a task is hidden even where the task is not.
  works.push(await taskAt("claimed", parties, { task: { visibility: "unlisted", ...texts } }));
  const others = { requester: await verifiedAgent(), provider: await verifiedAgent() };
  const listed = [await taskAt("open", others), await taskAt("submitted", others)];
  for (const work of [...works.slice(1, 7), ...works.slice(-1), ...listed])
    for (const party of [work.provider, work.requester])
      succeeded(await callAs(party, "POST", "/api/v1/jobs/message.php", { task_id: work.taskId, body: CANARY }), 201);
  const wanted = await taskAt("open", others, { task: { open_to: "quotes" } });
  const quoted = { task_id: wanted.taskId, amount_pence: 1, note: CANARY };
  succeeded(await callAs(others.provider, "POST", "/api/v1/jobs/quote.php", quoted), 201);
  const offer = await publishOffer(provider, { description: CANARY });
  const suspended = await registerAgent();
  await suspendIdentity(admin, { publicId: suspended.publicId, reason });
  for (const party of [requester, provider])
    succeeded(await callAs(party, "POST", "/api/v1/agents/profile.php", { public_profile: false }));
  for (const kind of ["task", "offer"])
    succeeded(
      await callAs(requester, "POST", "/api/v1/agents/template_save.php", {
        kind,
        name: CANARY,
        fields: kind === "task" ? { brief: CANARY } : { description: CANARY },
      }),
    );
  const victim = await member();
  succeeded(
    await actAsOwner(await signedInOwner(), "report", { post_id: (await publish(victim)).post_id, reason: "Because." }),
  );
  const [settlements, messages, events, reports, sessions] = [
    await prisma().settlement.findMany({ where: { taskId: { in: works.map(({ taskId }) => taskId) } } }),
    await prisma().message.findMany({ take: 5 }),
    await prisma().auditEvent.findMany({ take: 5 }),
    await prisma().report.findMany(),
    await prisma().ownerSession.findMany({ where: { ownerId: victim.owner.ownerId } }),
  ];
  const passkey = {
    ownerId: victim.owner.ownerId,
    publicKey: Buffer.alloc(77),
    counter: 0,
    backedUp: false,
    name: "Key",
  };
  const [passkeyId, noPasskey] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString("base64url"));
  await prisma().ownerPasskey.create({ data: { ...passkey, id: passkeyId ?? "", createdAt: new Date() } });
  const connectionId = newId("cnx");
  await prisma().oauthConnection.create({
    data: {
      id: connectionId,
      ownerId: victim.owner.ownerId,
      identityId: requester.publicId,
      clientId: newId("cli"),
      clientName: "Program",
      resource: "mcp",
      scopes: ["read"],
      createdAt: new Date(),
      expiresAt: new Date(4e12),
    },
  });
  const hook = { url: "https://hooks.example.com/x", format: "json" };
  const { channel } = (
    await callAsOwner<{ channel: { channel_id: string } }>(
      victim.owner,
      "POST",
      "/api/v1/owners/notification_hook.php",
      hook,
    )
  ).body;
  const [patternId, moderationId] = [newId("pat"), newId("mod")];
  const decided = { reason: CANARY, createdBy: admin.actor.id, createdAt: new Date() };
  await prisma().postPattern.create({ data: { id: patternId, kind: "literal", pattern: newId("pat"), ...decided } });
  const act = { agentId: requester.publicId, act: "hold", subjectId: requester.publicId, reason: CANARY };
  await prisma().moderation.create({ data: { id: moderationId, ...act, doneBy: admin.actor.id, at: new Date() } });
  Object.assign(hidden, {
    pat: [patternId],
    mod: [moderationId],
    agt: [requester.publicId, suspended.publicId],
    tsk: works.map(({ taskId }) => taskId),
    con: works.map(({ contractId }) => contractId),
    pay: works.map(({ paymentId }) => paymentId),
    stl: settlements.map(({ id }) => id),
    dsp: disputes,
    qte: (await prisma().quote.findMany()).map(({ id }) => id),
    msg: messages.map(({ id }) => id),
    ofr: [offer.offer_id],
    rpt: reports.map(({ id }) => id),
    evt: events.map(({ id }) => id),
    own: [victim.owner.ownerId],
    cnx: [connectionId],
    chn: [channel.channel_id],
    tok: [(await withAccess(requester, ["read"])).accessId],
    ses: sessions.map(({ id }) => id),
    fil: files,
  });
  otherForms.passkey_id = [{ real: passkeyId, missing: noPasskey }];
});

/** Not IDs of what can be hidden: a post or thread is public, also once it is withdrawn, and these name the request itself. */
const NEVER_HIDDEN: ReadonlySet<IdPrefix> = new Set(["pst", "thr", "act", "req"]);
const isForeign = (prefix: IdPrefix) => !NEVER_HIDDEN.has(prefix);

/** Hidden things by the form in which a field takes them, each with one like it that does not exist. */
function pairsFor(endpoint: Endpoint, name: string): { real: unknown; missing: unknown }[] {
  const byId = prefixesOf(endpoint, name)
    .filter(isForeign)
    .flatMap((prefix) => {
      const missing = newId(prefix);
      const all = hidden[prefix] ?? assert.fail(`nothing hidden has the prefix ${prefix}`);
      return all.map((real) => ({ real, missing }));
    });
  return [...byId, ...(otherForms[name] ?? [])];
}

const TRIED = [...ENDPOINTS, ...ADMIN_ENDPOINTS].flatMap((endpoint) =>
  Object.keys(publishedInput(endpoint).shape)
    .filter((name) => name === "passkey_id" || prefixesOf(endpoint, name).some(isForeign))
    .map((name) => ({ endpoint, name })),
);

test("every field that takes an ID is tried", () => {
  assert.ok(TRIED.length > 90, `${TRIED.length}`);
});

/** The exceptions, with what makes them right. */
const RIGHTS: Record<string, string> = {
  "POST jobs/create.php provider_public_id": "who knows the ID of an agent that cannot be found may send it work",
  "POST community/ join public_id": "an owner's session makes a new profile, whatever ID is sent",
};

/** A call with one field that names something of others. */
type Try = { endpoint: Endpoint; name: string; stranger: Caller };

function triesOf(endpoint: Endpoint, name: string): Try[] {
  return callersOf(strangers, endpoint.auth).map((stranger) => ({ endpoint, name, stranger }));
}

const answerWith = ({ endpoint, name, stranger }: Try, value: unknown): Promise<string> =>
  answerTo(endpoint, stranger, { ...fieldsBeside(endpoint, name, stranger), [name]: value });

for (const { endpoint, name } of TRIED) {
  const label = `${labelOf(endpoint)} ${name}`;
  if (label in RIGHTS) continue;
  test(`${label}: what is hidden from the caller is as if it did not exist`, () =>
    changesNothing(label, async () => {
      for (const attempt of triesOf(endpoint, name)) {
        const { who } = attempt.stranger;
        const answersToMissing = new Map<unknown, string>();
        for (const { real, missing } of pairsFor(endpoint, name)) {
          const there = await answerWith(attempt, real);
          const nowhere = answersToMissing.get(missing) ?? (await answerWith(attempt, missing));
          answersToMissing.set(missing, nowhere);
          assert.equal(there, nowhere, `${who}, ${real}`);
          assert.match(there, /^(200|401|403|404|409) /, who);
          assertNothingHidden(there, who, real);
        }
      }
    }));
}

/** Fails if an answer holds the ID or text of something hidden. @param but what the caller has sent itself */
function assertNothingHidden(answer: string, who: string, but?: unknown): void {
  const found = [CANARY, ...Object.values(hidden).flat()].filter((each) => each !== but && answer.includes(each));
  assert.deepEqual(found, [], `${who}: ${answer.slice(0, 2_000)}`);
}

test("each exception is one, and a suspended agent gets no work from anyone", async () => {
  for (const label of Object.keys(RIGHTS))
    assert.ok(
      TRIED.some(({ endpoint, name }) => `${labelOf(endpoint)} ${name}` === label),
      label,
    );
  const { endpoint, name } =
    TRIED.find((each) => each.name === "provider_public_id" && each.endpoint.path.endsWith("jobs/create.php")) ??
    assert.fail();
  for (const attempt of triesOf(endpoint, name)) {
    const there = await answerWith(attempt, hidden.agt?.at(-1));
    assert.match(there, /^404 /);
    assert.equal(there, await answerWith(attempt, newId("agt")));
  }
});

test("no list, search, feed or export shows a stranger anything hidden, wherever it is asked to start", async () => {
  const { rows } = await pool().query<{ seq: string }>(
    "SELECT seq FROM tasks UNION SELECT seq FROM offers UNION SELECT seq FROM settlements",
  );
  const cursors = rows.flatMap(({ seq }) => [encodeCursor(BigInt(seq)), encodeCursor(BigInt(seq) + 1n)]);
  const last = encodeCursor("9".repeat(18));
  const values: Record<string, unknown[]> = {
    cursor: [...new Set(cursors), last],
    q: [CANARY],
    limit: [100],
    after: [0],
    before: [1_000_000_000],
    state: [...TASK_STATES],
    role: ["requester", "provider"],
    skill: ["translation"],
    history: ["1"],
  };
  let answers = 0;
  for (const endpoint of ENDPOINTS.filter(({ method, isDocument }) => method === "GET" && !isDocument)) {
    const shape = publishedInput(endpoint).shape;
    for (const stranger of callersOf(strangers, endpoint.auth)) {
      const beside = fieldsBeside(endpoint, "none", stranger);
      const asked = Object.entries(values).flatMap(([name, some]) =>
        name in shape ? some.map((value) => ({ [name]: value })) : [],
      );
      for (const more of [{}, ...asked]) {
        const answer = await answerTo(endpoint, stranger, { ...beside, ...more });
        assertNothingHidden(answer, `${labelOf(endpoint)} ${JSON.stringify(more)} ${stranger.who}`);
        if (answer.startsWith("200")) answers += 1;
      }
    }
  }
  assert.ok(answers > 150, `${answers}`);
});

test("through the tools of MCP, too, what is hidden is as if it did not exist", () =>
  changesNothing("tools", async () => {
    const headers = new Headers({
      Authorization: `Bearer ${strangers.agent.token}`,
      "Guildhall-Community-Key": strangers.member.key,
    });
    const [stranger] = callersOf(strangers, "service");
    let tried = 0;
    for (const { endpoint, definition } of TOOLS.values()) {
      const args = Object.keys(definition.inputSchema.properties as object);
      const names = TRIED.filter((each) => each.endpoint === endpoint && args.includes(each.name)).map(
        ({ name }) => name,
      );
      for (const name of names.filter((each) => !(`${labelOf(endpoint)} ${each}` in RIGHTS))) {
        const { public_id: _, ...beside } = fieldsBeside(endpoint, name, stranger as Caller);
        for (const caller of [headers, new Headers()]) {
          const answer = async (value: unknown) => {
            const all = { ...beside, ...(endpoint.idempotencyKey ? { idempotency_key: "one" } : {}), [name]: value };
            const result = await callTool(definition.name, all, {
              headers: caller,
              origin: { address: "192.0.2.1" },
              through: "static_mcp",
            });
            return JSON.stringify(result).replaceAll(/req_\w{22}/g, "req_X");
          };
          for (const { real, missing } of pairsFor(endpoint, name)) {
            const there = await answer(real);
            assert.equal(there, await answer(missing), `${definition.name} ${name} ${real}`);
            assertNothingHidden(there, definition.name, real);
            tried += 1;
          }
        }
      }
    }
    assert.ok(tried > 200, `${tried}`);
  }));

/** What anyone may do with what they can see, and what is no act on it. */
const OPEN_TO_ALL: Record<string, string> = {
  "POST moderation/mute.php public_id": "everybody may mute anybody, and only the muting one sees it",
  "POST jobs/claim.php task_id": "a verified agent may claim an open task",
  "POST jobs/quote.php task_id": "a verified agent may make a quote for an open task",
  "POST jobs/message.php task_id": "a verified agent may ask about an open task",
  "POST community/ post reply_to": "members answer each other",
  "POST community/ post thread_id": "members post in each other's threads",
  "POST community/ report post_id": "anyone signed in may report",
  "POST community/ report public_id": "anyone signed in may report",
  "POST owners/report.php subject": "anyone signed in may report",
  "POST owners/approve.php provider_public_id": "names the provider that is approved, and the agent is the caller's",
  ...RIGHTS,
};

test("nobody changes what others have made public, whatever its state", async () => {
  const parties = { requester: await verifiedAgent(), provider: await verifiedAgent() };
  const works = await Promise.all(TASK_STATES.map((state) => taskAt(state, parties)));
  const disputed = await taskAt("submitted", parties);
  const dispute = (await did(parties.provider, "dispute", disputed)).dispute?.dispute_id;
  const author = await member();
  const { post_id, thread_id } = await publish(author);
  const { offer_id } = await publishOffer(parties.provider);
  const all = [...works, disputed];
  const shown: Partial<Record<IdPrefix, unknown[]>> = {
    agt: [parties.requester.publicId, author.publicId],
    tsk: all.map(({ taskId }) => taskId),
    dsp: [dispute],
    con: all.map(({ contractId }) => contractId),
    pay: all.map(({ paymentId }) => paymentId),
    pst: [post_id],
    thr: [thread_id],
    ofr: [offer_id],
  };
  const settlements = await prisma().settlement.findMany({
    where: { taskId: { in: all.map(({ taskId }) => taskId) } },
  });
  shown.stl = settlements.map(({ id }) => id);
  for (const endpoint of [...ENDPOINTS, ...ADMIN_ENDPOINTS].filter(({ method }) => method === "POST"))
    for (const name of Object.keys(publishedInput(endpoint).shape)) {
      const label = `${labelOf(endpoint)} ${name}`;
      if (label in OPEN_TO_ALL) continue;
      const values = prefixesOf(endpoint, name).flatMap((prefix) => shown[prefix] ?? []);
      await changesNothing(label, async () => {
        for (const attempt of triesOf(endpoint, name))
          for (const value of values)
            assert.match(
              await answerWith(attempt, value),
              /^(401|403|404|409) /,
              `${label} ${attempt.stranger.who} ${value}`,
            );
      });
    }
});

test("a request ID or key that another agent has used is this agent's own: it neither replays nor conflicts", async () => {
  const other = await verifiedAgent();
  const body = { brief: CANARY, budget_pence: 1, visibility: "unlisted", client_request_id: "the-same" };
  const theirs = await callAs<{ task: { task_id: string } }>(other, "POST", "/api/v1/jobs/create.php", body);
  succeeded(theirs, 201);
  const own = await callAs<{ task: { task_id: string } }>(strangers.agent, "POST", "/api/v1/jobs/create.php", {
    ...body,
    brief: "Mine.",
  });
  succeeded(own, 201);
  assert.notEqual(own.body.task.task_id, theirs.body.task.task_id);
  assert.ok(!JSON.stringify(own.body).includes(CANARY));
});
