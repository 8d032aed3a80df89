import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import type { AccountStep } from "#lib/identity/payment-account.ts";
import { newId } from "#lib/kernel/ids.ts";
import { changeAccount } from "#stripe-stand-in/accounts.ts";
import { RECIPIENT } from "#stripe-stand-in/samples.ts";
import { configure } from "#testing/configuration.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import {
  agreedLive,
  CONTACT,
  catchUp,
  completedLive,
  fund,
  holdsOf,
  liveService,
  onboarded,
  readyProvider,
  sessionsOf,
  settlementOf,
  workerContext,
} from "#testing/live.ts";
import { findAlerts } from "../alerts/find.ts";
import { liveGateway } from "../gateway/live.ts";

const live = liveService();

const PATH = "/api/v1/payments/account.php";

/** A minute passes in which nothing was heard of the account. */
const waitAMinute = (agent: TestAgent) =>
  pool().query(
    "UPDATE payment_accounts SET refreshed_at = refreshed_at - interval '60 seconds' WHERE identity_id = $1",
    [agent.publicId],
  );

/** A minute passes after a creation that failed: its outcome then counts as known. */
const outwaitCreation = (agent: TestAgent) =>
  pool().query("UPDATE payment_accounts SET created_at = created_at - interval '1 minute' WHERE identity_id = $1", [
    agent.publicId,
  ]);

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
    const answer = await callAs<{ onboarding_url: string }>(agent, "POST", PATH, CONTACT);
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
    assert.equal((await callAs(agent, "POST", PATH, CONTACT)).error?.code, "temporarily_unavailable", kind);
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
  succeeded(await callAs(agent, "POST", PATH, CONTACT));
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

test("Stripe gets the address that the caller gives, or else that of the identity's owner", async () => {
  for (const isGiven of [true, false]) {
    const agent = await verifiedAgent();
    const ownerId = newId("own");
    const email = `${ownerId.toLowerCase()}@example.org`;
    await pool().query("INSERT INTO owners (id, email, name, created_at) VALUES ($1, $2, 'Ada', now())", [
      ownerId,
      email,
    ]);
    await pool().query("UPDATE identities SET owner_id = $1 WHERE id = $2", [ownerId, agent.publicId]);
    succeeded(await callAs(agent, "POST", PATH, isGiven ? CONTACT : {}));
    const account = await onboarded(live, agent);
    assert.equal(live.stripe.world.accounts.get(account)?.contactEmail, isGiven ? CONTACT.contact_email : email);
  }
});

test("without an owner, the address is required for a new account, and refused if Stripe does not accept it", async () => {
  const agent = await verifiedAgent();
  const calls = live.stripe.calls.length;
  for (const body of [{}, { contact_email: "nobody" }]) {
    const { error } = await callAs(agent, "POST", PATH, body);
    assert.deepEqual([error?.code, error?.field_errors?.map(({ path }) => path)], ["invalid_input", ["contact_email"]]);
  }
  assert.equal(live.stripe.calls.length, calls);
  const { error } = await callAs(agent, "POST", PATH, { contact_email: "operator@provider.invalid" });
  assert.deepEqual(
    error?.field_errors?.map(({ path }) => path),
    ["contact_email"],
  );
  await onboarded(live, agent);
  succeeded(await callAs(agent, "POST", PATH));
});

test("an account that Stripe refuses because of the platform is a finding with the operator's remedy, and the provider is told", async () => {
  const open = () =>
    prisma().difference.findMany({ where: { kind: "account_creation", resolvedAt: null }, orderBy: { id: "asc" } });
  const agent = await verifiedAgent();
  for (const code of [
    "connect_profile_not_submitted",
    "account_creation_liability_unacknowledged",
    "account_terms_of_service_not_accepted",
    "platform_registration_required",
  ] as const) {
    live.stripe.world.platform.connectRefusal = code;
    const { error } = await callAs(agent, "POST", PATH, CONTACT);
    assert.equal(error?.code, "live_unavailable");
    assert.match(error?.message ?? "", /its operator has to complete the set-up/);
    const [finding, ...others] = await open();
    assert.equal(others.length, 0);
    assert.match(finding?.stripe ?? "", new RegExp(code));
    assert.match(finding?.remedy ?? "", /Stripe's dashboard|Stripe's terms/);
  }
  await configure({ ALERT_WEBHOOK_URL: "http://localhost:1/" });
  await findAlerts(workerContext());
  const [alert] = await prisma().alert.findMany({ where: { text: { contains: "account_creation" } } });
  assert.match(alert?.text ?? "", /begin with Connect|Register the platform/);
  live.stripe.world.platform.connectRefusal = null;
  succeeded(await callAs(agent, "POST", PATH, CONTACT));
  assert.deepEqual(await open(), []);
});

test("only an identity with a verified domain can set up an account", async () => {
  const agent = await registerAgent();
  const before = live.stripe.calls.length;
  const answer = await callAs(agent, "POST", PATH, CONTACT);
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
  const answer = await callAs<{ onboarding_url: string }>(agent, "POST", PATH, CONTACT);
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
    assert.equal((await callAs(agent, "POST", PATH, CONTACT)).error?.code, "temporarily_unavailable");
    return live.stripe.calls.slice(from).flatMap(({ key }) => key ?? []);
  };
  const [first] = await keys();
  assert.deepEqual(await keys(), [first]);
  await outwaitCreation(agent);
  // Stripe only repeats itself, so the new key follows at once.
  assert.deepEqual(await keys(), [first, `${first}-2`]);
  assert.deepEqual(await keys(), [`${first}-2`]);
  live.stripe.heal();
  succeeded(await callAs(agent, "POST", PATH, CONTACT));
});

test("answers that opened nothing do not use up openings, and Retry-After says when a try can succeed", async () => {
  const agent = await verifiedAgent();
  await configure({ RATE_LIMIT_SCALE: "1" });
  live.stripe.fail({ kind: "500", call: "POST /v2/core/accounts", when: "before", times: 99 });
  for (let time = 0; time < 7; time += 1) {
    const { error, headers } = await callAs(agent, "POST", PATH, CONTACT);
    assert.equal(error?.code, "temporarily_unavailable");
    const seconds = Number(headers.get("retry-after"));
    assert.ok(seconds > 50 && seconds <= 60, `${seconds} s`);
  }
  await outwaitCreation(agent);
  live.stripe.heal();
  for (let time = 0; time < 5; time += 1) succeeded(await callAs(agent, "POST", PATH, CONTACT));
  assert.equal((await callAs(agent, "POST", PATH, CONTACT)).error?.code, "rate_limited");
  await configure();
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

type Steps = ReturnType<typeof all>;

/** Every way in which an account can be ready, or not. */
const COMBINATIONS: Steps[] = Array.from({ length: 16 }, (_, bits) => ({
  identity_match: (bits & 1) > 0,
  transfers_active: (bits & 2) > 0,
  payouts_enabled: (bits & 4) > 0,
  no_unresolved_requirements: (bits & 8) > 0,
}));

function arrange(account: string, publicId: string, steps: Steps): void {
  const found = live.stripe.world.accounts.get(account);
  assert.ok(found);
  changeAccount(live.stripe.world, found, {
    metadata: { ...found.metadata, guildhall_public_id: steps.identity_match ? publicId : "another" },
    transfers: steps.transfers_active ? "active" : "restricted",
    payouts: steps.payouts_enabled ? "active" : "restricted",
    requirements: steps.no_unresolved_requirements ? [] : [{ description: "identity", status: "currently_due" }],
  });
}

const missing = (steps: Steps) => Object.keys(steps).filter((step) => !steps[step as keyof Steps]);

test("a checkout opens only if the provider's account is ready in every respect", async () => {
  const work = await agreedLive(live);
  for (const steps of COMBINATIONS) {
    arrange(work.account, work.provider.publicId, steps);
    const answer = await fund(work);
    const shut = answer.error?.gates?.flatMap(({ gate, passed }) => (passed ? [] : [gate])) ?? [];
    assert.deepEqual(
      shut,
      missing(steps).map((step) => `provider_${step}`),
    );
    assert.equal(answer.status, missing(steps).length > 0 ? 403 : 201);
  }
  assert.equal(sessionsOf(live, work).length, 1);
});

test("a transfer is sent only if the account is ready in every respect, and otherwise shows why not", async () => {
  const work = await completedLive(live);
  for (const steps of COMBINATIONS) {
    arrange(work.account, work.provider.publicId, steps);
    await catchUp(live);
    for (const agent of [work.requester, work.provider]) {
      assert.deepEqual(await holdsOf(work, agent), missing(steps));
      assert.equal((await settlementOf(work, agent)).transfer, missing(steps).length > 0 ? "queued" : "sent");
    }
  }
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

// Last, because it moves Stripe's clock.
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
