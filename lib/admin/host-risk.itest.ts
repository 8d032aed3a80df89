import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { admin, reason, recordOf } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { at, blockedGates, me, newHost } from "#testing/hosts.ts";
import { readHost } from "./page-reads/hosts.ts";
import { setRisk } from "./restrictions.ts";
import { restoreIdentity, suspendIdentity } from "./suspension.ts";

let requester: TestAgent;

testService({}, async () => {
  requester = await registerAgent();
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
