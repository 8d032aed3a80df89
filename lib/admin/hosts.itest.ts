import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { runHere } from "#testing/admin-command.ts";
import { admin, reason, recordOf, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { call, testService } from "#testing/client.ts";
import { actAs, actAsOwner, joined, member } from "#testing/community.ts";
import { agentWithOffer, callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { at, blockedGates, me, newHost } from "#testing/hosts.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { postTask } from "#testing/workflow.ts";
import { hold, unhold } from "./hold.ts";
import { listHosts, readHost } from "./page-reads/hosts.ts";
import { listSubjects } from "./page-reads/identities.ts";
import { readStopped } from "./page-reads/overview.ts";
import { setRisk } from "./restrictions.ts";
import { AuditQuery, HostsQuery, IdentitiesQuery } from "./schema.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

let administrator: TestAdministrator;

let requester: TestAgent;

testService({}, async () => {
  administrator = await signedInAdministrator();
  requester = await registerAgent();
});

test("a hold on a host refuses the steps and posts of every identity on it, present and future, and of no other", async () => {
  const host = newHost();
  const subjectId = `host:${host}`;
  const [present, elsewhere] = [await verifiedAgent(at(host)), await verifiedAgent(at(`www.${host}`))];
  const speaker = { ...present, ...(await joined(present)) };
  await hold(admin, { subjectId, reason });
  const future = await verifiedAgent(at(host));
  for (const agent of [present, future]) {
    assert.deepEqual(await blockedGates(agent, requester), ["host_held"]);
    const { held, open } = await me(agent);
    assert.deepEqual([held, open.includes("hold")], [true, true]);
  }
  const post = await actAs(speaker, "post", { title: "A title", body: "Text" });
  assert.deepEqual(
    post.error?.gates?.filter(({ passed }) => !passed).map(({ gate, reason: why }) => [gate, why]),
    [["hold", "host_held"]],
  );
  assert.deepEqual(await blockedGates(elsewhere, requester), []);

  await unhold(admin, { subjectId, reason });
  for (const agent of [present, future]) assert.deepEqual(await blockedGates(agent, requester), []);
  succeeded(await actAs(speaker, "post", { title: "A title", body: "Text" }), 201);
  assert.equal((await pool().query("SELECT FROM hosts WHERE host = $1", [host])).rowCount, 0);
});

test("available actions report a held host as the verbs do", async () => {
  const host = newHost();
  const provider = await verifiedAgent(at(host));
  const { task_id } = await postTask(requester);
  await hold(admin, { subjectId: `host:${host}`, reason });
  const { body } = await callAs<{
    task: { available_actions: { action: string; blocked_by: { reason: string }[] }[] };
  }>(provider, "GET", "/api/v1/jobs/show.php", { task_id });
  const claim = body.task.available_actions.find(({ action }) => action === "claim");
  assert.deepEqual(
    claim?.blocked_by.map(({ reason: why }) => why),
    ["host_held"],
  );
});

test("a service identity set up on a held host is held from the start", async () => {
  const host = newHost();
  const agent = await member();
  await hold(admin, { subjectId: `host:${host}`, reason });
  const set = await actAsOwner<{ management_token: string }>(agent.owner, "setup_service", {
    public_id: agent.publicId,
    homepage_url: `https://${host}/`,
  });
  succeeded(set, 201);
  const identity = { publicId: agent.publicId, token: set.body.management_token } as TestAgent;
  assert.equal((await me(identity)).held, true);
  assert.equal((await actAs(agent, "post", { title: "A title", body: "Text" })).error?.code, "gate_refused");
});

test("an identity that moves to a host while it is being held waits, and is then held", async () => {
  for (const come of ["registers", "moves"] as const) {
    const host = newHost();
    const mover = await registerAgent(at(newHost()));
    const client = await pool().connect();
    await client.query("BEGIN");
    await client.query("INSERT INTO hosts (host, held_at, updated_at) VALUES ($1, now(), now())", [host]);
    let arrived = false;
    const coming = (
      come === "registers"
        ? registerAgent(at(host))
        : callAs(mover, "POST", "/api/v1/agents/profile.php", at(host)).then(() => mover)
    ).then((agent) => {
      arrived = true;
      return agent;
    });
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    while (!arrived && (await pool().query(waiting)).rowCount === 0) await new Promise((done) => setTimeout(done, 5));
    assert.equal(arrived, false);
    await client.query("COMMIT");
    client.release();
    assert.equal((await me(await coming)).held, true, come);
  }
});

test("an identity that registers while its host is being held cannot act after the hold", async () => {
  const host = newHost();
  const registering = Array.from({ length: 20 }, () => registerAgent(at(host)));
  await hold(admin, { subjectId: `host:${host}`, reason });
  for (const agent of [...(await Promise.all(registering)), await registerAgent(at(host))]) {
    const fields = { brief: "b", budget_pence: 0, client_request_id: newId("req") };
    const { error } = await callAs(agent, "POST", "/api/v1/jobs/create.php", fields);
    assert.equal(error?.code, "gate_refused");
  }
});

test("an identity that moves to another host gets that host's hold and risk", async () => {
  const [bad, good] = [newHost(), newHost()];
  await hold(admin, { subjectId: `host:${bad}`, reason });
  const agent = await registerAgent(at(good));
  assert.equal((await me(agent)).held, false);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/profile.php", at(bad)));
  assert.equal((await me(agent)).held, true);
  const away = await changesNothing("leaving a held host", () =>
    callAs(agent, "POST", "/api/v1/agents/profile.php", at(good)),
  );
  assert.equal(away.error?.code, "domain_change_refused");
  await unhold(admin, { subjectId: `host:${bad}`, reason });
  succeeded(await callAs(agent, "POST", "/api/v1/agents/profile.php", at(good)));
});

test("an identity on hold, or on a held host, is neither matched nor eligible nor available, until the hold is lifted", async () => {
  const host = newHost();
  const skill = "holding";
  const agent = await agentWithOffer({ skill }, at(host));
  const wanted = { skill, budget_pence: 100_000 };
  const seen = async () => {
    const { body: found } = await call<{ matches: unknown[] }>("GET", "/api/v1/agents/match.php", { query: wanted });
    const query = { skill, available: "1" };
    const { body: listed } = await call<{ agents: unknown[] }>("GET", "/api/v1/agents/directory.php", { query });
    const { body: own } = await callAs<{ eligible: boolean }>(agent, "GET", "/api/v1/agents/eligibility.php", wanted);
    return [found.matches.length, listed.agents.length, own.eligible];
  };
  for (const subjectId of [agent.publicId, `host:${host}`]) {
    assert.deepEqual(await seen(), [1, 1, true]);
    await hold(admin, { subjectId, reason });
    assert.deepEqual(await seen(), [0, 0, false], subjectId);
    await unhold(admin, { subjectId, reason });
  }
  assert.deepEqual(await seen(), [1, 1, true]);
});

test("commands and the console take a host in any spelling of its name, and refuse anything else", async () => {
  const host = newHost();
  assert.deepEqual(await runHere("hold", `host:${host.toUpperCase()}`), { subject: `host:${host}`, held: true });
  assert.deepEqual(await runHere("risk", `host:${host}.`, "high"), { public_id: `host:${host}`, risk: "high" });
  assert.deepEqual(await runHere("unhold", `host:${host}`), { subject: `host:${host}`, held: false });
  await changesNothing("a name that is no host", async () => {
    for (const wrong of [
      "host:",
      "host:localhost",
      "host:127.0.0.1",
      `host:${host}/x`,
      `host:${host}:8080`,
      "host:a b.example",
    ]) {
      await assert.rejects(async () => runHere("hold", wrong), { code: "invalid_input" }, wrong);
      assert.equal((await administrator.act("hold", { subject: wrong })).error?.code, "invalid_input", wrong);
      assert.equal((await administrator.act("risk", { public_id: wrong, risk: "high" })).error?.code, "invalid_input");
    }
  });
  succeeded(await administrator.act("hold", { subject: `host:${host}` }));
  succeeded(await administrator.act("risk", { public_id: `host:${host}`, risk: "low" }));
  const { heldAt, risk } = await readHost(host);
  assert.deepEqual([heldAt !== null, risk], [true, "low"]);
});

test("the console counts, finds and filters identities by their hosts' holds and risks", async () => {
  const host = newHost();
  const agent = await registerAgent(at(host));
  const before = await readStopped();
  await hold(admin, { subjectId: `host:${host}`, reason });
  await setRisk(admin, { publicId: `host:${host}`, risk: "high", reason });
  const now = await readStopped();
  assert.deepEqual(
    [now.heldIdentities - before.heldIdentities, now.highRisk - before.highRisk, now.hosts - before.hosts],
    [1, 1, 1],
  );
  for (const query of [{ held: "1" }, { risk: "high" }, { q: `host:${host}` }]) {
    const { rows: subjects } = await listSubjects(IdentitiesQuery.parse({ ...query, limit: "100" }));
    const found = subjects.find(({ id }) => id === agent.publicId);
    assert.deepEqual([found?.held, found?.risk], [true, "high"], JSON.stringify(query));
  }
  const { rows: hosts } = await listHosts(HostsQuery.parse({ q: host, held: "1" }));
  assert.deepEqual(
    hosts.map(({ host: name, identities }) => [name, identities]),
    [[host, 1]],
  );
});

test("the longest host name can be searched for, and its audit trail read", () => {
  const subject = `host:${["a", "b", "c"].map((label) => label.repeat(63)).join(".")}.${"d".repeat(49)}.example.com`;
  assert.equal(subject.length, "host:".length + 253);
  assert.equal(HostsQuery.parse({ q: subject.slice("host:".length) }).q?.length, 253);
  assert.equal(IdentitiesQuery.parse({ q: subject }).q, subject);
  assert.equal(AuditQuery.parse({ subject }).subject, subject);
});

test("the higher of an identity's own risk and its host's applies", async () => {
  const host = newHost();
  const agent = await verifiedAgent(at(host));
  const rate = (publicId: string, risk: "low" | "normal" | "high") => setRisk(admin, { publicId, risk, reason });
  for (const [own, ofHost, effective] of [
    ["low", "high", "high"],
    ["high", "low", "high"],
    ["low", "normal", "normal"],
    ["normal", "low", "normal"],
  ] as const) {
    await rate(agent.publicId, own);
    await rate(`host:${host}`, ofHost);
    assert.equal((await me(agent)).risk, effective, `${own} on ${ofHost}`);
    assert.deepEqual(await blockedGates(agent, requester), effective === "high" ? ["high_risk"] : []);
  }
});

test("a suspension sets the host's risk to high, also for later registrations, until its last suspended identity is restored", async () => {
  const host = newHost();
  const [one, two, bystander] = [
    await verifiedAgent(at(host)),
    await verifiedAgent(at(host)),
    await verifiedAgent(at(host)),
  ];
  await suspendIdentity(admin, { publicId: one.publicId, reason });
  await suspendIdentity(admin, { publicId: two.publicId, reason });
  const again = await verifiedAgent(at(host));
  for (const agent of [bystander, again]) assert.deepEqual(await blockedGates(agent, requester), ["high_risk"]);
  assert.deepEqual(
    [(await readHost(host)).risk, (await readHost(host)).riskSource, (await readHost(host)).suspended],
    ["high", "suspension", 2],
  );

  await restoreIdentity(admin, { publicId: one.publicId, reason });
  assert.deepEqual(await blockedGates(again, requester), ["high_risk"]);
  await restoreIdentity(admin, { publicId: two.publicId, reason });
  for (const agent of [one, two, bystander, again]) assert.deepEqual(await blockedGates(agent, requester), []);
  assert.deepEqual(
    (await recordOf(`host:${host}`)).map(({ action, data }) => [action, data?.risk, data?.public_id]),
    [
      ["risk", null, two.publicId],
      ["risk", "high", one.publicId],
    ],
  );
});

test("a suspended identity that only named a host does not spoil it for those who have proved it", async () => {
  const host = newHost();
  const [stranger, owner] = [await registerAgent(at(host)), await verifiedAgent(at(host))];
  await suspendIdentity(admin, { publicId: stranger.publicId, reason });
  assert.deepEqual(await blockedGates(owner, requester), []);

  await suspendIdentity(admin, { publicId: owner.publicId, reason });
  assert.equal((await readHost(host)).risk, "high");
  await restoreIdentity(admin, { publicId: owner.publicId, reason });
  assert.deepEqual(await blockedGates(owner, requester), []);

  const [first, second] = [newHost(), newHost()];
  const [one, two] = [await registerAgent(at(first)), await registerAgent(at(second))];
  await registerAgent(at(second));
  for (const { publicId } of [one, two]) await suspendIdentity(admin, { publicId, reason });
  for (const each of [first, second]) assert.equal((await readHost(each)).risk, "high", "nobody has proved it");
});

test("two simultaneous restorations remove the automatic risk", async () => {
  for (let round = 0; round < 5; round += 1) {
    const host = newHost();
    const agents = await Promise.all(Array.from({ length: 4 }, () => registerAgent(at(host))));
    await Promise.all(agents.map(({ publicId }) => suspendIdentity(admin, { publicId, reason })));
    assert.equal((await readHost(host)).risk, "high");
    await Promise.all(agents.map(({ publicId }) => restoreIdentity(admin, { publicId, reason })));
    assert.equal((await readHost(host)).risk, null);
  }
});

test("suspending or restoring identities does not change a host's risk that an administrator set", async () => {
  for (const first of ["rating", "suspension"]) {
    const host = newHost();
    const agent = await verifiedAgent(at(host));
    if (first === "suspension") await suspendIdentity(admin, { publicId: agent.publicId, reason });
    await setRisk(admin, { publicId: `host:${host}`, risk: "normal", reason });
    await suspendIdentity(admin, { publicId: agent.publicId, reason });
    assert.deepEqual(await blockedGates(await verifiedAgent(at(host)), requester), []);
    await restoreIdentity(admin, { publicId: agent.publicId, reason });
    const { risk, riskSource } = await readHost(host);
    assert.deepEqual([risk, riskSource], ["normal", "administrator"]);
  }
});

test("the migration sets the risk of hosts whose identities are already suspended", async () => {
  const host = newHost();
  const { publicId } = await registerAgent(at(host));
  await suspendIdentity(admin, { publicId, reason });
  await pool().query("DELETE FROM hosts");
  const sql = readFileSync(
    join(import.meta.dirname, "../../prisma/migrations/20261122000500_hosts/migration.sql"),
    "utf8",
  );
  const statement = sql.match(/INSERT INTO "hosts"[^;]+;/)?.[0] ?? "";
  await pool().query(statement);
  const { risk, riskSource } = await readHost(host);
  assert.deepEqual([risk, riskSource], ["high", "suspension"]);
});
