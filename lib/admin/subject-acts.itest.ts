import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { newId } from "#lib/kernel/ids.ts";
import { recordOf, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { provingProber, testService } from "#testing/client.ts";
import { registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { findSubjectFacts } from "./page-reads/identities.ts";

let administrator: TestAdministrator;
testService({}, async () => {
  administrator = await signedInAdministrator();
});

test("every act on an identity is audited with the administrator's account, name and reason", async () => {
  const { publicId: public_id } = await verifiedAgent();
  const acts: [string, object][] = [
    ["suspend", { public_id }],
    ["restore", { public_id }],
    ["hold", { subject: public_id }],
    ["unhold", { subject: public_id }],
    ["risk", { public_id, risk: "high" }],
    ["quota", { public_id, quota: "tasks", limit: 700 }],
    ["deny", { public_id, action: "claim" }],
    ["allow", { public_id, action: "claim" }],
    ["check_domain", { public_id }],
  ];
  for (const [name, fields] of acts) succeeded(await administrator.act(name, { ...fields, reason: `Why ${name}.` }));
  const record = await recordOf(public_id);
  assert.deepEqual(
    record.reverse().map(({ action, reason }) => [action, reason]),
    acts.map(([name]) => [name, `Why ${name}.`]),
  );
  for (const { actorId, actorName, data } of record) {
    assert.deepEqual([actorId, actorName], [administrator.ownerId, "Tess of the Hall"]);
    assert.equal((data as { administrator: string }).administrator, "Tess of the Hall");
  }
  const facts = await findSubjectFacts(public_id);
  assert.deepEqual([facts?.suspended, facts?.heldAt, facts?.service?.risk, facts?.denied], [false, null, "high", []]);
});

test("the audit trail keeps the name that an administrator had at the time", async () => {
  const { publicId: public_id } = await registerAgent();
  const former = await signedInOwner({ role: "administrator", name: "Maiden Name" });
  const body = { public_id, reason: "Because." };
  succeeded(await callAsOwner(former, "POST", "/api/v1/admin/suspend.php", body));
  await pool().query("UPDATE owners SET name = 'Married Name' WHERE id = $1", [former.ownerId]);
  assert.equal((await recordOf(public_id))[0]?.actorName, "Maiden Name");
});

test("an unknown action, level or subject is refused with an error on its field", async () => {
  const { publicId: public_id } = await registerAgent();
  for (const [name, fields, path] of [
    ["deny", { public_id, action: "breathe" }, "action"],
    ["risk", { public_id, risk: "mortal" }, "risk"],
    ["quota", { public_id, quota: "posts", limit: 1 }, "quota"],
    ["quota", { public_id, quota: "tasks", limit: -1 }, "limit"],
    ["quota", { public_id, quota: "tasks", limit: "7" }, "limit"],
    ["quota", { public_id, quota: "tasks", limit: 10_001 }, "limit"],
    ["suspend", { public_id: "tsk_1" }, "public_id"],
    ["resolve_dispute", { dispute_id: newId("dsp"), resolution: "both" }, "resolution"],
  ] as const) {
    const { status, error } = await administrator.act(name, fields);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, path]);
  }
  assert.equal((await administrator.act("suspend", { public_id: newId("agt") })).error?.code, "not_found");
  assert.equal((await administrator.act("hold", { subject: newId("tsk") })).error?.code, "not_found");
  const unknown = { public_id: newId("agt"), quota: "offers", limit: 1 };
  assert.equal((await administrator.act("quota", unknown)).error?.code, "not_found");
});

test("an administrator's domain check counts like a scheduled one, and answers with its result", async () => {
  const { publicId: public_id } = await registerAgent();
  const check = async () =>
    (await administrator.act<{ verification_status: string; found: string }>("check_domain", { public_id })).body;
  assert.equal((await check()).verification_status, "verified");
  replaceProber({ probe: async () => ({ ok: false, reason: "tls", detail: "The certificate is not trusted." }) });
  try {
    const answers = [await check(), await check(), await check()];
    assert.deepEqual(
      answers.map(({ verification_status: status }) => status),
      ["grace", "grace", "lapsed"],
    );
    assert.equal(answers[0]?.found, "The certificate is not trusted.");
    assert.equal((await check()).verification_status, "lapsed");
  } finally {
    replaceProber(provingProber);
  }
  assert.equal((await check()).verification_status, "verified");
  assert.deepEqual(
    (await recordOf(public_id)).filter(({ action }) => action === "check_domain").map(({ data }) => data?.found),
    ["proof", "tls", "tls", "tls", "tls", "proof"],
  );
});
