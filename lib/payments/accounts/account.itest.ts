import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import type { AccountStep } from "#lib/identity/payment-account.ts";
import { newId } from "#lib/kernel/ids.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { catchUp, completedLive, type Live, onboarded, readyProvider, startLive } from "#lib/testing/live.ts";
import { RECIPIENT } from "#stripe-stand-in/samples.ts";
import { liveGateway } from "../gateway/live.ts";

let live: Live;
before(async () => {
  live = await startLive();
});
after(() => live.stop());

const PATH = "/api/v1/payments/account.php";

/** A minute passes in which nothing was heard of the account. */
const waitAMinute = (agent: TestAgent) =>
  pool().query(
    "UPDATE payment_accounts SET refreshed_at = refreshed_at - interval '60 seconds' WHERE identity_id = $1",
    [agent.publicId],
  );

async function readiness(agent: TestAgent): Promise<Record<string, boolean>> {
  await waitAMinute(agent);
  const answer = await callAs<{ readiness: AccountStep[] }>(agent, "GET", PATH);
  succeeded(answer);
  for (const { done, detail, remedy } of answer.body.readiness) {
    assert.ok(detail.length > 0);
    assert.equal(remedy === null, done);
  }
  return Object.fromEntries(answer.body.readiness.map(({ step, done }) => [step, done]));
}

const all = (done: boolean) => ({
  identity_match: done,
  transfers_active: done,
  payouts_enabled: done,
  no_unresolved_requirements: done,
});

test("an account is created once, however often its page is requested, and is ready when Stripe says so", async () => {
  const agent = await verifiedAgent();
  assert.deepEqual(await readiness(agent), all(false));
  const before = live.stripe.world.accounts.size;
  const urls = new Set<string>();
  for (let time = 0; time < 3; time += 1) {
    const answer = await callAs<{ onboarding_url: string }>(agent, "POST", PATH);
    succeeded(answer);
    urls.add(answer.body.onboarding_url);
  }
  assert.equal(live.stripe.world.accounts.size, before + 1);
  const account = await onboarded(live, agent);
  assert.ok([...urls].every((url) => url.includes(account)));
  assert.deepEqual(await readiness(agent), { ...all(false), identity_match: true });
  live.stripe.activate(account);
  assert.deepEqual(await readiness(agent), all(true));
});

test("an account that Stripe created without answering is found, not created twice", async () => {
  for (const kind of ["truncated", "500", "reset"] as const) {
    const agent = await verifiedAgent();
    const before = live.stripe.world.accounts.size;
    live.stripe.fail({ kind, call: "POST /v2/core/accounts", when: "after", times: 2 });
    assert.equal((await callAs(agent, "POST", PATH)).error?.code, "temporarily_unavailable", kind);
    live.stripe.heal();
    await onboarded(live, agent);
    assert.equal(live.stripe.world.accounts.size, before + 1, kind);
  }
});

test("no readiness is reported while Stripe does not answer", async () => {
  const agent = await readyProvider(live);
  await waitAMinute(agent);
  live.stripe.fail({ kind: "500", call: "GET /v2/core/accounts/*", when: "before", times: 1 });
  assert.equal((await callAs(agent, "GET", PATH)).error?.code, "temporarily_unavailable");
  assert.deepEqual(await readiness(agent), all(true));
});

test("an account of version 1 is read with version 1", async () => {
  const agent = await verifiedAgent();
  const account = live.stripe.createV1Account();
  live.stripe.activate(account);
  await pool().query(
    "INSERT INTO payment_accounts (id, identity_id, stripe_account_id, api_version, created_at) VALUES ($1, $2, $3, 1, now())",
    [newId("acc"), agent.publicId, account],
  );
  assert.deepEqual(await readiness(agent), { ...all(true), identity_match: false });
  Object.assign(live.stripe.world.accounts.get(account) ?? {}, { metadata: { guildhall_public_id: agent.publicId } });
  assert.deepEqual(await readiness(agent), all(true));
  live.stripe.require(account, "individual.id_number");
  assert.deepEqual(await readiness(agent), { ...all(true), no_unresolved_requirements: false });
});

test("a key that Stripe has kept for another request is replaced, and does not block the provider", async () => {
  const agent = await verifiedAgent();
  const rowId = newId("acc");
  await live.stripe.client().v2.core.accounts.create(RECIPIENT, { idempotencyKey: rowId });
  await pool().query(
    "INSERT INTO payment_accounts (id, identity_id, created_at) VALUES ($1, $2, now() - interval '1 day')",
    [rowId, agent.publicId],
  );
  assert.equal((await callAs(agent, "POST", PATH)).error?.code, "temporarily_unavailable");
  succeeded(await callAs(agent, "POST", PATH));
});

test("readiness is answered from what was read in the last minute, and an event refreshes it at once", async () => {
  const agent = await readyProvider(live);
  await catchUp(live);
  const calls = () => live.stripe.calls.length;
  const before = calls();
  const ask = async () => {
    const answer = await callAs<{ readiness: AccountStep[] }>(agent, "GET", PATH);
    succeeded(answer);
    return answer.body.readiness.every(({ done }) => done);
  };
  for (let time = 0; time < 5; time += 1) assert.equal(await ask(), true);
  assert.equal(calls(), before);
  live.stripe.require(agent.account, "identity.document");
  assert.equal(await ask(), true);
  await catchUp(live);
  assert.equal(await ask(), false);
  await waitAMinute(agent);
  const later = calls();
  await ask();
  assert.equal(calls(), later + 1);
});

test("Stripe gets the address of the identity's owner, if one is linked", async () => {
  for (const isLinked of [true, false]) {
    const agent = await verifiedAgent();
    const ownerId = newId("own");
    const email = `${ownerId.toLowerCase()}@example.org`;
    await pool().query("INSERT INTO owners (id, email, name, created_at) VALUES ($1, $2, 'Ada', now())", [
      ownerId,
      email,
    ]);
    if (isLinked) await pool().query("UPDATE identities SET owner_id = $1 WHERE id = $2", [ownerId, agent.publicId]);
    const account = await onboarded(live, agent);
    assert.equal(live.stripe.world.accounts.get(account)?.contactEmail, isLinked ? email : undefined);
  }
});

test("only an identity with a verified domain can set up an account", async () => {
  const agent = await registerAgent();
  const before = live.stripe.calls.length;
  const answer = await callAs(agent, "POST", PATH);
  assert.equal(answer.error?.code, "gate_refused");
  assert.deepEqual(
    answer.error?.gates?.map(({ gate, passed, reason }) => [gate, passed, reason]),
    [["domain", false, "unverified"]],
  );
  assert.equal(live.stripe.calls.length, before);
});

test("a requirement that waits for Stripe is not shown as the provider's", async () => {
  const agent = await readyProvider(live);
  live.stripe.require(agent.account, "identity.individual.verification", "past_due", "stripe");
  await catchUp(live);
  const answer = await callAs<{ readiness: AccountStep[] }>(agent, "GET", PATH);
  succeeded(answer);
  const open = answer.body.readiness.filter(({ done }) => !done);
  assert.deepEqual(
    open.map(({ step }) => step),
    ["transfers_active", "payouts_enabled"],
  );
  for (const { remedy } of open) assert.match(remedy ?? "", /^Stripe is checking/);
  const v1 = live.stripe.createV1Account();
  Object.assign(live.stripe.world.accounts.get(v1) ?? {}, { requirements: [] });
  live.stripe.require(v1, "individual.verification", "past_due", "stripe");
  const read = await (await liveGateway()).readAccount(v1, 1);
  assert.deepEqual([read?.transfers, read?.requirementsDue], ["inactive", []]);
});

test("setting up an account asks for what Stripe will need eventually, too", async () => {
  const agent = await verifiedAgent();
  const account = await onboarded(live, agent);
  live.stripe.require(account, "identity.individual.id_numbers", "eventually_due");
  const answer = await callAs<{ onboarding_url: string }>(agent, "POST", PATH);
  succeeded(answer);
  await fetch(answer.body.onboarding_url, { method: "POST", body: new URLSearchParams({ do: "submit" }) });
  assert.deepEqual(live.stripe.world.accounts.get(account)?.requirements, []);
  assert.deepEqual(await readiness(agent), all(true));
});

test("after Stripe reports a failure, no new key is sent before a minute has passed", async () => {
  const agent = await verifiedAgent();
  const failing = { kind: "500", call: "POST /v2/core/accounts", when: "before", times: 9 } as const;
  live.stripe.fail(failing);
  const keys = async () => {
    const from = live.stripe.calls.length;
    assert.equal((await callAs(agent, "POST", PATH)).error?.code, "temporarily_unavailable");
    return live.stripe.calls.slice(from).flatMap(({ key }) => key ?? []);
  };
  const [first] = await keys();
  assert.deepEqual(await keys(), [first]);
  await pool().query(
    "UPDATE payment_accounts SET created_at = created_at - interval '1 minute' WHERE identity_id = $1",
    [agent.publicId],
  );
  assert.deepEqual(await keys(), [first]);
  assert.deepEqual(await keys(), [`${first}-2`]);
  assert.deepEqual(await keys(), [`${first}-2`]);
  live.stripe.heal();
  succeeded(await callAs(agent, "POST", PATH));
});

test("an account that disconnects from the platform, or changes its bank, is read again", async () => {
  const agent = await readyProvider(live);
  await catchUp(live);
  const row = async () =>
    (await pool().query("SELECT closed, refreshed_at FROM payment_accounts WHERE identity_id = $1", [agent.publicId]))
      .rows[0];
  const known = await row();
  assert.equal(known.closed, false);
  live.stripe.changeBank(agent.account);
  await catchUp(live);
  const reread = await row();
  assert.ok(reread.refreshed_at > known.refreshed_at);
  live.stripe.deauthorize(agent.account);
  await catchUp(live);
  assert.equal((await row()).closed, true);
  assert.deepEqual(await readiness(agent), all(false));
});

const DASHBOARD = "/api/v1/payments/dashboard.php";

test("a provider gets a link to Stripe's dashboard once its account is set up", async () => {
  const agent = await verifiedAgent();
  const open = () => callAs<{ dashboard_url: string }>(agent, "POST", DASHBOARD);
  assert.equal((await open()).error?.code, "state_conflict");
  const account = await onboarded(live, agent);
  assert.equal((await open()).error?.code, "state_conflict");
  live.stripe.activate(account);
  const answer = await open();
  succeeded(answer);
  assert.match(answer.body.dashboard_url, new RegExp(`/c/express/${account}$`));
  assert.match(await (await fetch(answer.body.dashboard_url)).text(), /Express dashboard/);
});

test("a provider reads which payouts failed and what to do, until a later one replaces them", async () => {
  const work = await completedLive(live);
  live.stripe.advance(7 * 86_400);
  await catchUp(live);
  type Shown = { failed_payouts?: { payout_id: string; amount_pence: number; remedy: string }[] };
  const failed = async () => (await callAs<Shown>(work.provider, "GET", PATH)).body.failed_payouts;
  assert.equal(await failed(), undefined);
  const payout = live.stripe.payout(work.account);
  live.stripe.failPayout(payout);
  await catchUp(live);
  const [shown, ...others] = (await failed()) ?? [];
  assert.deepEqual([shown?.payout_id, shown?.amount_pence, others.length], [payout, 1_800, 0]);
  assert.match(shown?.remedy ?? "", /bank details/);
  live.stripe.payoutPaid(live.stripe.payout(work.account));
  await catchUp(live);
  assert.equal(await failed(), undefined);
});
