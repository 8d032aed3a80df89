import assert from "node:assert/strict";
import { test } from "node:test";
import { accessOf } from "#lib/kernel/access.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { type RequiredScope, SCOPE_NAMES, type Scope } from "#lib/kernel/scopes.ts";
import { NAMES_A_TASK } from "#lib/tasks/side.ts";
import { type AccessAgent, withAccess } from "#testing/access.ts";
import { call, forFile, outcome, startTestService } from "#testing/client.ts";
import { answerTo, fieldsBeside, labelOf } from "#testing/every-endpoint.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { put } from "#testing/files.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, taskAt, type Work } from "#testing/workflow.ts";
import { ENDPOINTS } from "./registry.ts";

const TAKING = ENDPOINTS.filter(({ auth }) => accessOf(auth).bearer === "management_token");

// The published table, written out a second time. Reading what is the identity's own is in every scope.
const TABLE: Record<Scope | "side" | "none", RegExp> = {
  read: /^GET (?!agents\/(webhook|access))/,
  report: /^POST agents\/(heartbeat|verify)\.php$/,
  offers: /^POST agents\/(skills|offers|template_save|template_remove|rehearse|profile)\.php$/,
  work: /^POST jobs\/(claim|release|quote|quote_withdraw|start|submit|conclude|give_up)\.php$/,
  order:
    /^POST (jobs\/(create|order|prepare|select|choose_quote|dismiss|clarify|request_changes|complete|cancel|leave)|contracts\/create)\.php$/,
  pay: /^POST payments\/(intent|confirm|account|dashboard)\.php$/,
  side: /^POST (contracts\/(accept|decline)|jobs\/(dispute|dispute_statement|message|remove_file))\.php$/,
  none: /^(GET|POST) agents\/(webhook|access)\w*\.php$|^POST community\/ join$/,
};

test("every endpoint that takes a management token declares the scope that the published table gives it", () => {
  const declared = (scope: RequiredScope | undefined) => (scope === null ? "none" : scope);
  const rows = TAKING.map((endpoint) => {
    const label = labelOf(endpoint);
    const [published = "nothing"] = Object.entries(TABLE).find(([, calls]) => calls.test(label)) ?? [];
    return [label, declared(endpoint.scope), published];
  });
  assert.deepEqual(
    rows.filter(([, one, other]) => one !== other),
    [],
  );
  const sided = TAKING.filter(({ scope }) => scope === "side");
  for (const endpoint of sided)
    assert.ok(
      Object.keys(NAMES_A_TASK).some((name) => name in endpoint.input.shape),
      `${labelOf(endpoint)} names no task, so the caller's side cannot be known`,
    );
});

type Role = "requester" | "provider";
type Party = Record<Role, TestAgent>;

let work: Work;
let disputeId: string;
let fileId: string;
let tokens: Record<Role, Record<Scope, AccessAgent>>;
forFile(async () => {
  const service = await startTestService();
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  work = await taskAt("in_progress", { requester, provider });
  fileId = (await put(provider, { taskId: work.taskId, purpose: "result" })).file.file_id;
  disputeId = (await did(requester, "dispute", work)).dispute?.dispute_id ?? assert.fail();
  tokens = { requester: await oneOfEach(requester), provider: await oneOfEach(provider) };
  return service;
});

/** The first use is recorded; a later one only a minute later. */
async function used(access: AccessAgent): Promise<AccessAgent> {
  await callAs(access, "GET", "/api/v1/agents/me.php");
  return access;
}

async function oneOfEach(agent: TestAgent): Promise<Record<Scope, AccessAgent>> {
  const made: [Scope, AccessAgent][] = [];
  for (const scope of SCOPE_NAMES) {
    made.push([scope, await used(await withAccess(agent, [scope]))]);
  }
  return Object.fromEntries(made) as Record<Scope, AccessAgent>;
}

const neededBy = (scope: RequiredScope, role: Role): Scope | null =>
  scope === "side" ? (role === "requester" ? "order" : "work") : scope;
const allows = (held: Scope, needed: Scope | null) => needed !== null && (needed === "read" || held === needed);

/** Sends the call about the task of both, and returns the status and the error, if any. */
async function send(endpoint: Endpoint, { publicId, token }: TestAgent) {
  const caller = { who: "an agent", headers: { Authorization: `Bearer ${token}` }, publicId };
  const { taskId, contractId, termsHash } = work;
  const about = {
    task_id: taskId,
    contract_id: contractId,
    terms_hash: termsHash,
    dispute_id: disputeId,
    file_id: fileId,
  };
  const named = Object.entries(about).filter(([name]) => name in endpoint.input.shape);
  const found = /^(\d+) (\[.*?\]\]) (.*)$/s.exec(
    await answerTo(endpoint, caller, { ...fieldsBeside(endpoint, "", caller), ...Object.fromEntries(named) }),
  );
  const body = found?.[3]?.startsWith("{") ? JSON.parse(found[3]) : {};
  return { status: Number(found?.[1]), error: body.error as { code: string; scope?: Scope | null; final: boolean } };
}

test("no scope reaches further than its row of the table, in either role, and a refused call changes nothing", async () => {
  let refused = 0;
  await changesNothing("a refused call", async () => {
    for (const role of ["requester", "provider"] as const)
      for (const endpoint of TAKING)
        for (const held of SCOPE_NAMES) {
          const needed = neededBy(endpoint.scope ?? null, role);
          if (allows(held, needed)) continue;
          const { status, error } = await send(endpoint, tokens[role][held]);
          const { code, scope, final } = error ?? {};
          assert.deepEqual(
            [status, code, scope, final],
            [403, "insufficient_scope", needed, true],
            `${labelOf(endpoint)} with ${held} as ${role}`,
          );
          refused += 1;
        }
  });
  assert.ok(refused > 250, `only ${refused} calls were refused`);
});

test("each scope reaches what its row of the table lists, in either role", async () => {
  for (const role of ["provider", "requester"] as const)
    for (const endpoint of TAKING)
      for (const held of SCOPE_NAMES.filter((each) => allows(each, neededBy(endpoint.scope ?? null, role)))) {
        const { status, error } = await send(endpoint, tokens[role][held]);
        assert.ok(
          status !== 401 && error?.code !== "insufficient_scope",
          `${labelOf(endpoint)} with ${held} as ${role}: ${error?.code}`,
        );
      }
});

test("an access token changes neither the URL nor the signing key", async () => {
  const agent = await used(await withAccess(await registerAgent(), ["offers"]));
  const change = (fields: object) => callAs(agent, "POST", "/api/v1/agents/profile.php", { ...fields });
  for (const fields of [{ endpoint: "https://other.example.com/" }, { name: "New name", signing_key: null }]) {
    const { error } = await changesNothing("a refused change", () => change(fields));
    assert.deepEqual([error?.code, error?.scope], ["insufficient_scope", null]);
  }
  assert.equal(outcome(await change({ name: "New name" })), "200");
});

test("a task that the caller may not know of is missing whatever the token's scope", async () => {
  const parties: Party = { requester: await verifiedAgent(), provider: await verifiedAgent() };
  const hidden = await taskAt("proposed", parties, { task: { visibility: "unlisted" } });
  const stranger = await verifiedAgent();
  const accept = (agent: TestAgent, contractId: string) =>
    call("POST", "/api/v1/contracts/accept.php", {
      token: agent.token,
      body: { public_id: agent.publicId, contract_id: contractId, terms_hash: hidden.termsHash },
    });
  const bodyOf = ({ body }: { body: unknown }) => ({ ...(body as object), request_id: "" });
  for (const agent of [await withAccess(stranger, ["read"]), await withAccess(stranger, ["order"])]) {
    const answer = await accept(agent, hidden.contractId);
    const missing = await accept(agent, work.contractId.replace(/.{4}$/, "1111"));
    assert.equal(outcome(answer), "404 not_found");
    assert.deepEqual(bodyOf(answer), bodyOf(missing));
  }
});
