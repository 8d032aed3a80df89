import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { runHere, succeeds, WHY } from "#testing/admin-command.ts";
import { call, testService } from "#testing/client.ts";
import { proposed } from "#testing/community.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, perform, storedState, taskAt } from "#testing/workflow.ts";

let folder: string;
let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-admin-"));
  requester = await registerAgent();
  provider = await verifiedAgent();
  return () => rmSync(folder, { recursive: true });
});

type Entry = { action: string; reason: string; actor: { kind: string; id: string }; subject: { id: string } };

test("a new token is printed after the domain was verified since the leak, and the old one no longer works", async () => {
  const agent = await verifiedAgent();
  await call("POST", "/api/v1/agents/report_leak.php", { body: { secret: agent.token } });
  await assert.rejects(runHere("reissue", agent.publicId), { code: "state_conflict" });
  // Stands for a passed check, which needs a network.
  await pool().query("UPDATE identities SET domain_checked_at = now() WHERE id = $1", [agent.publicId]);
  const { management_token: token } = await succeeds(folder, "reissue", agent.publicId, ...WHY);
  const me = (bearer: unknown) =>
    call("GET", "/api/v1/agents/me.php", { token: String(bearer), query: { public_id: agent.publicId } });
  assert.deepEqual([(await me(agent.token)).status, (await me(token)).status], [401, 200]);
});

test("each command takes effect on the API at once, and its opposite undoes it", async () => {
  const { publicId } = provider;
  const claim = async () =>
    (await perform(provider, "claim", await taskAt("open", { requester, provider }))).error?.gates;
  const blockedGates = async () => (await claim())?.filter(({ passed }) => !passed).map(({ gate }) => gate);

  await succeeds(folder, "hold", publicId, ...WHY);
  assert.deepEqual(await blockedGates(), ["hold"]);
  await runHere("unhold", publicId);
  await runHere("risk", publicId, "high");
  assert.deepEqual(await blockedGates(), ["risk"]);
  await runHere("risk", publicId, "low");
  assert.deepEqual((await runHere("deny", publicId, "claim")).denied_actions, ["claim"]);
  assert.deepEqual(await blockedGates(), ["permission"]);
  assert.deepEqual((await runHere("allow", publicId, "claim")).denied_actions, []);
  assert.equal(await blockedGates(), undefined);

  await runHere("suspend", publicId);
  assert.equal((await callAs(provider, "GET", "/api/v1/agents/me.php")).error?.code, "identity_suspended");
  await runHere("unsuspend", publicId);
  assert.equal((await callAs(provider, "GET", "/api/v1/agents/me.php")).status, 200);

  const work = await taskAt("claimed", { requester, provider });
  await runHere("hold", work.taskId);
  assert.equal((await perform(provider, "release", work)).error?.code, "gate_refused");
  await runHere("unhold", work.taskId);
  const money = await taskAt(
    "submitted",
    { requester, provider },
    { amountPence: 1_000, task: { budget_pence: 1_000 } },
  );
  const { dispute: split } = await did(requester, "dispute", money);
  const resolved = await succeeds(
    folder,
    "resolve",
    split?.dispute_id ?? "",
    "split",
    "--provider-pence",
    "400",
    ...WHY,
  );
  const { settlement_id: id, awarded_pence } = resolved.settlement as { settlement_id: string; awarded_pence: number };
  assert.equal(awarded_pence, 400);
  const { preview } = await succeeds(folder, "refund", id, "--pence", "100", "--preview");
  assert.match(String(preview), /refund of £1\.00 \(simulated\)/);
  const actId = newId("act");
  const again = () => succeeds(folder, "refund", id, "--pence", "100", "--act-id", actId, ...WHY);
  assert.deepEqual(await again(), await again());
  const { dispute } = await did(provider, "dispute", work);
  await runHere("resolve", dispute?.dispute_id ?? "", "requester");
  assert.equal(await storedState(work.taskId), "cancelled");
});

const entries = async (...subject: string[]) => (await runHere("audit", ...subject)).events as Entry[];

test("the audit trail keeps who did what, to which subject and why", async () => {
  await runHere("hold", requester.publicId);
  await succeeds(folder, "unhold", requester.publicId, "--reason", "over");
  const events = await entries(requester.publicId);
  const [last, before] = events;
  assert.deepEqual(
    [last?.action, last?.reason, last?.actor],
    ["unhold", "over", { kind: "administrator", id: "command line" }],
  );
  assert.deepEqual(
    [before?.action, before?.reason, before?.actor],
    ["hold", "because of a test", { kind: "administrator", id: "Grace" }],
  );
  assert.ok(events.every(({ subject, actor }) => subject.id === requester.publicId || actor.id === requester.publicId));
  assert.ok((await entries()).length > events.length);
});

test("a quota set by command applies at once and is in the audit trail", async () => {
  const answer = await succeeds(folder, "quota", provider.publicId, "offers", "75", ...WHY);
  assert.deepEqual([answer.public_id, answer.quota, answer.limit], [provider.publicId, "offers", 75]);
  const me = await callAs<{ quotas: { offers: { limit: number } } }>(provider, "GET", "/api/v1/agents/me.php");
  assert.equal(me.body.quotas.offers.limit, 75);
  const events = await entries(provider.publicId);
  assert.deepEqual([events[0]?.action, events[0]?.reason], ["quota", "because of a test"]);
});

test("disputes lists what waits for a decision, and shows one with what both parties say", async () => {
  const list = (...which: string[]) => runHere("disputes", ...which);
  const work = await taskAt("submitted", { requester, provider });
  const { dispute } = await did(requester, "dispute", work);
  const id = dispute?.dispute_id ?? "";
  const said = { dispute_id: id, statement: "It is all there." };
  await callAs(provider, "POST", "/api/v1/jobs/dispute_statement.php", said);
  const { disputes } = (await list()) as { disputes: { dispute_id: string; provider: { public_id: string } }[] };
  const listed = disputes.find((each) => each.dispute_id === id);
  assert.equal(listed?.provider.public_id, provider.publicId);
  const { dispute: whole } = (await list(id)) as { dispute: { statements: { role: string; statement: string }[] } };
  assert.deepEqual(
    whole.statements.map(({ role, statement }) => [role, statement]),
    [["provider", "It is all there."]],
  );
  assert.deepEqual(
    ((await list("resolved")) as { disputes: { dispute_id: string }[] }).disputes.filter(
      (each) => each.dispute_id === id,
    ),
    [],
  );
  await assert.rejects(list("closed"), /open, resolved/);
  await assert.rejects(list(newId("dsp")), /Not found/);
});

test("identities lists service identities, and profiles without one, by name, host or ID", async () => {
  const list = (...args: string[]) =>
    runHere("identities", ...args) as Promise<{
      identities?: { public_id: string; domain_status: string }[];
      profiles?: { public_id: string }[];
    }>;
  const { identities } = await list(provider.publicId);
  assert.deepEqual(
    identities?.map(({ public_id: id, domain_status: domain }) => [id, domain]),
    [[provider.publicId, "verified"]],
  );
  const profile = await proposed({ name: "Lonely heron" });
  assert.deepEqual(
    (await list("lonely heron", "--profiles")).profiles?.map(({ public_id: id }) => id),
    [profile.publicId],
  );
  assert.deepEqual((await list("lonely heron")).identities, []);
});
