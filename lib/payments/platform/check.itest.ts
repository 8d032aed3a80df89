import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { env } from "#lib/kernel/env.ts";
import { newPlatform } from "#stripe-stand-in/platform.ts";
import { runHere } from "#testing/admin-command.ts";
import { configure } from "#testing/configuration.ts";
import { verifiedAgent } from "#testing/factories.ts";
import {
  catchUp,
  completedLive,
  type Live,
  liveService,
  onboarded,
  readyProvider,
  workerContext,
} from "#testing/live.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { warnAboutPayouts } from "./read.ts";
import type { SetUpStep, StepName } from "./set-up-step.ts";

const PAGE = readFileSync(new URL("../../../docs/payments.md", import.meta.url), "utf8");

const live = liveService();

type SetUp = { ready: boolean; steps: SetUpStep[] };
const check = () => runHere("stripe-check") as Promise<SetUp>;

const rights = async () => (await check()).steps.find(({ step }) => step === "rights")?.detail ?? "";

async function open(): Promise<StepName[]> {
  const { ready, steps } = await check();
  for (const { done, detail, remedy } of steps) assert.ok(detail.length > 0 && (remedy === null) === done);
  const missing = steps.flatMap(({ step, done }) => (done || step === "rehearsal" ? [] : [step]));
  assert.equal(ready, missing.length === 0);
  return missing;
}

test("a platform that is completely set up passes every step, and the check changes nothing at Stripe", async () => {
  const { world } = live.stripe;
  const things = () =>
    [world.sessions, world.refunds, world.transfers, world.accounts, world.lines].map(({ size }) => size);
  const before = [...things(), live.stripe.events.length];
  assert.deepEqual(await open(), []);
  assert.match(
    await rights(),
    /once a provider has an account: Balance settings of connected accounts: write; Payouts of/,
  );
  assert.deepEqual([...things(), live.stripe.events.length], before);
});

test("each thing that is missing is named by its own step", async () => {
  const { platform } = live.stripe.world;
  const { destinations } = platform;
  const [own, connect, thin] = destinations;
  assert.ok(own && connect && thin);
  const cases: [StepName[], Partial<typeof platform>][] = [
    [["account"], { country: "US" }],
    [["account"], { chargesEnabled: false }],
    [["account"], { due: ["external_account"] }],
    [["public_details"], { shown: { icon: null, descriptor: "GUILDHALL", supportEmail: "support@example.org" } }],
    [["public_details"], { shown: { icon: "file_icon", descriptor: null, supportEmail: "support@example.org" } }],
    [["public_details"], { shown: { icon: "file_icon", descriptor: "GUILDHALL", supportEmail: null } }],
    [["capabilities"], { capabilities: { card_payments: "active", transfers: "inactive" } }],
    [["payout_schedule"], { schedule: "daily" }],
    [[], { schedule: "daily", minimumPence: 100_000 }],
    [["destination_platform"], { destinations: [connect, thin] }],
    [["destination_connect"], { destinations: [own, thin] }],
    [["destination_accounts"], { destinations: [own, connect] }],
    [["destination_connect", "destination_accounts"], { destinations: [own, { ...connect, events_from: ["@self"] }] }],
    [["destination_connect"], { destinations: [own, { ...connect, status: "disabled" }, thin] }],
    [["destination_connect"], { destinations: [own, { ...connect, enabled_events: ["payout.paid"] }, thin] }],
    [[], { destinations: [own, { ...connect, snapshot_api_version: "2020-08-27" }, thin] }],
  ];
  for (const [steps, change] of cases) {
    Object.assign(platform, change);
    assert.deepEqual(await open(), steps, JSON.stringify(change));
    Object.assign(platform, newPlatform(), { destinations });
  }
  assert.deepEqual(await open(), []);
});

type Limit = Parameters<Live["stripe"]["rights"]["limit"]>;

/** The rights that docs/payments.md names, each with what of it would be left without it. */
const RIGHTS = [...PAGE.matchAll(/^\| (([A-Z][\w ]+?)( of connected accounts)?) \| (read|write) \|/gm)].map(
  ([, name, resource, connected, level]) => ({
    named: `${name}: ${level}`,
    limit: [resource, level === "write" ? "read" : "none", connected ? "connected" : "platform"] as Limit,
  }),
);

test("a key that Stripe does not accept ends the check", async () => {
  const old = live.stripe.rollKey();
  const { steps: without } = await check();
  assert.deepEqual(
    without.map(({ step, done }) => [step, done]),
    [
      ["configuration", true],
      ["key", false],
    ],
  );
  live.stripe.rollKey(old);
});

test("the start reads the payout schedule only where LIVE was begun, and never fails", async () => {
  const before = live.stripe.calls.length;
  await warnAboutPayouts();
  assert.equal(live.stripe.calls.length, before);
  await onboarded(live, await verifiedAgent());
  const from = live.stripe.calls.length;
  await warnAboutPayouts();
  assert.deepEqual(
    live.stripe.calls.slice(from).map(({ path }) => path),
    ["/v1/balance_settings"],
  );
  live.stripe.fail({ kind: "500", when: "before", call: "GET /v1/balance_settings" });
  await warnAboutPayouts();
});

test("each right that docs/payments.md names is named where a restricted key lacks it, and no other", async () => {
  await readyProvider(live);
  assert.equal(await rights(), "The key has every right that the service needs.");
  assert.equal(RIGHTS.length, 20);
  for (const { limit, named } of RIGHTS) {
    live.stripe.rights.limit(...limit);
    const { steps } = await check();
    const detailOf = (of: StepName) => steps.find(({ step }) => step === of)?.detail;
    assert.equal(detailOf("rights"), `The key lacks: ${named}.`);
    assert.equal(detailOf("key"), "Stripe accepts the key.", named);
    live.stripe.rights.restore();
  }
});

test("the last step says how much of a rehearsal has worked, and does not keep the platform from being ready", async () => {
  const rehearsal = async () => {
    const { ready, steps } = await check();
    const { number, step, done, detail } = steps.at(-1) ?? assert.fail();
    assert.deepEqual([ready, number, step], [true, 9, "rehearsal"]);
    return { done, detail };
  };
  assert.deepEqual(await rehearsal(), {
    done: false,
    detail:
      "No provider's payment account is ready yet. No payment has been recorded yet. No transfer to a provider has been sent yet. No reconciliation has run yet.",
  });
  await completedLive(live);
  await catchUp(live);
  assert.equal((await rehearsal()).detail, "No reconciliation has run yet.");
  await reconcile(workerContext());
  assert.equal((await rehearsal()).done, true);
});

test("a signing secret that was never put in is named by the step of its destination", async () => {
  const { stripe } = env();
  assert.ok(stripe);
  const { webhookSecrets, connectWebhookSecrets } = stripe;
  Object.assign(stripe, { webhookSecrets: ["later"], connectWebhookSecrets: ["later", "later"] });
  assert.deepEqual(await open(), ["destination_platform", "destination_connect", "destination_accounts"]);
  Object.assign(stripe, { webhookSecrets, connectWebhookSecrets });
});

test("without LIVE the check says so and calls nobody", async () => {
  const calls = live.stripe.calls.length;
  await configure({ PAYMENT_MODE: "TEST" });
  assert.deepEqual(await open(), ["configuration"]);
  assert.equal(live.stripe.calls.length, calls);
});
