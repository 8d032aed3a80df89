import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Stripe from "stripe";
import { handle } from "#lib/api/handle.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import type { StandInEvent } from "#stripe-stand-in/world.ts";
import { signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { outcome } from "#testing/client.ts";
import { succeeded } from "#testing/factories.ts";
import {
  agreedLive,
  assertAgreed,
  balancesOf,
  catchUp,
  completedLive,
  work as doWork,
  fund,
  fundedLive,
  type Live,
  movedAtStripe,
  onboarded,
  readyProvider,
  sessionOf,
  settlementOf,
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { disputed, GROSS, startMoneyStage } from "#testing/money-acts.ts";
import { CONNECT_SECRET, WEBHOOK_SECRET } from "#testing/rehearsal.ts";
import { did, perform, type Work } from "#testing/workflow.ts";

// Who may move money, and how often: acts that are sent by several administrators at once, accounts that are exchanged, and what
// Stripe's side names wrongly. Reconciliation reads every deal so far: the tests that need it come first, and the last one compares the
// books of all deals with Stripe's.

let live: Live;
let administrators: TestAdministrator[];
before(async () => {
  ({ live } = await startMoneyStage());
  administrators = [await signedInAdministrator(), await signedInAdministrator("Another one")];
});
after(() => live.stop());

const NET = 1_800;
const idOf = async (work: Work) => (await settlementOf(work)).settlement_id;
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

/** The same act by several administrators at the same moment, each under an ID of its own. @returns how many were carried out */
async function atOnce(act: string, fields: object, times = 4): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, at) =>
      administrators[at % administrators.length]?.act(act, { ...fields, act_id: newId("act") }),
    ),
  );
  for (const answer of answers)
    assert.match(String(answer?.status), /^(200|409|422)$/, `${act}: ${JSON.stringify(answer?.error)}`);
  await catchUp(live);
  return answers.filter((answer) => answer?.status === 200).length;
}

/** What must hold of a settlement whatever was decided about it. */
function assertWithinBounds(settlementId: string): void {
  const { refunds, reversals, transfers } = movedAtStripe(live, settlementId);
  assert.ok(sum(refunds) <= GROSS, `refunded ${refunds}`);
  assert.ok(sum(reversals) <= sum(transfers), `reversed ${reversals} of ${transfers}`);
  assert.ok(sum(transfers) - sum(reversals) <= NET, `sent ${transfers}, reversed ${reversals}`);
}

test("a checkout whose details name another payment funds neither, and one charge never funds two", async () => {
  const [one, two] = [await agreedLive(live, GROSS), await agreedLive(live, GROSS)];
  for (const work of [one, two]) work.paymentId = (await fund(work)).body.payment.payment_id;
  const [mine, theirs] = [await sessionOf(one.paymentId), await sessionOf(two.paymentId)];
  const { sessions, intents } = live.stripe.world;
  const rename = (session: string, { paymentId, contractId }: Work) => {
    const found = sessions.get(session) ?? assert.fail();
    found.client_reference_id = paymentId;
    found.metadata = { ...found.metadata, guildhall_payment: paymentId, guildhall_contract: contractId };
  };
  rename(mine, two);
  live.stripe.pay(mine);
  const intent = intents.get(String(sessions.get(mine)?.payment_intent)) ?? assert.fail();
  intent.metadata = { ...intent.metadata, guildhall_payment: two.paymentId, guildhall_contract: two.contractId };
  await catchUp(live);
  await reconcile(workerContext());
  const fundings = async () => [(await settlementOf(one)).funding, (await settlementOf(two)).funding];
  assert.deepEqual(await fundings(), ["required", "pending"]);
  // Paid properly, the other agreement is funded by its own charge alone, and the first charge is reported.
  live.stripe.pay(theirs);
  await catchUp(live);
  assert.deepEqual(await fundings(), ["required", "confirmed"]);
  const { differences } = await reconcile(workerContext());
  assert.deepEqual(
    differences.map(({ kind }) => kind),
    ["payment_misfit", "cash"],
  );
  live.stripe.refund(String(sessions.get(mine)?.payment_intent));
  await catchUp(live);
});

test("a charge that has funded one agreement never funds another, even if Stripe's details are changed to name that one", async () => {
  const paid = await fundedLive(live, GROSS);
  const other = await agreedLive(live, GROSS);
  other.paymentId = (await fund(other)).body.payment.payment_id;
  const session = live.stripe.world.sessions.get(await sessionOf(paid.paymentId)) ?? assert.fail();
  session.client_reference_id = other.paymentId;
  session.metadata = { ...session.metadata, guildhall_payment: other.paymentId, guildhall_contract: other.contractId };
  // As after an attempt whose outcome is unknown: every checkout that names the payment is looked at.
  await pool().query("UPDATE payments SET outcome_unknown = true WHERE id = $1", [other.paymentId]);
  live.stripe.world.emit("checkout.session.completed", session);
  await catchUp(live);
  const { differences } = await reconcile(workerContext());
  assert.deepEqual(differences, [], "and reconciliation still reads everything");
  assert.deepEqual([(await settlementOf(paid)).funding, (await settlementOf(other)).funding], ["confirmed", "pending"]);
  live.stripe.pay(await sessionOf(other.paymentId));
  await catchUp(live);
  for (const work of [paid, other]) assert.deepEqual(await balancesOf(work), { cash: GROSS, held: -GROSS });
});

test("a checkout that is paid after its payment had expired here funds the agreement once, and a second one that is paid too is reported", async () => {
  const work = await agreedLive(live, GROSS);
  const first = (await fund(work)).body.payment.payment_id;
  const session = await sessionOf(first);
  live.stripe.expire(session);
  await catchUp(live);
  const second = (await fund(work)).body.payment.payment_id;
  assert.notEqual(second, first);
  live.stripe.pay(await sessionOf(second));
  // As if the payer had finished in the last moment, and Stripe had said first that the checkout expired.
  const late = live.stripe.world.sessions.get(session) ?? assert.fail();
  late.status = "open";
  live.stripe.pay(session);
  await catchUp(live);
  const { rows } = await pool().query(
    "SELECT id, status FROM payments WHERE contract_id = $1 AND status = 'succeeded'",
    [work.contractId],
  );
  assert.equal(rows.length, 1);
  assert.deepEqual(await balancesOf(work), { cash: GROSS, held: -GROSS });
  const { differences } = await reconcile(workerContext());
  assert.ok(differences.some(({ kind }) => kind === "payment_misfit"));
  const unpaid = rows[0].id === second ? session : await sessionOf(second);
  live.stripe.refund(String(live.stripe.world.sessions.get(unpaid)?.payment_intent));
  await catchUp(live);
});

/** The event as the destination for the other kind of accounts would sign and send it. */
async function deliverElsewhere(event: StandInEvent, account?: string): Promise<number> {
  const { url, body } = live.stripe.sign(event);
  const isConnect = url.includes("connect");
  const other = isConnect ? "webhook.php" : "webhook_connect.php";
  const text = account ? JSON.stringify({ ...(JSON.parse(body) as object), account }) : body;
  const payload = account === undefined ? body : text;
  const header = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: isConnect ? WEBHOOK_SECRET : CONNECT_SECRET,
  });
  const request = new Request(`http://localhost:3000/api/v1/payments/${other}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": header },
    body: payload,
  });
  return (await handle(request, { address: "192.0.2.9" })).status;
}

test("events that come to the other address, or under another account's name, move no money that Stripe does not show", async () => {
  const other = await readyProvider(live);
  await catchUp(live);
  for (const account of [undefined, other.account]) {
    const from = live.stripe.events.length;
    const work = await agreedLive(live, GROSS);
    succeeded(await fund(work), 201);
    const { rows } = await pool().query("SELECT id FROM payments WHERE contract_id = $1", [work.contractId]);
    live.stripe.pay(await sessionOf(rows[0].id));
    for (const event of live.stripe.events.slice(from)) assert.equal(await deliverElsewhere(event, account), 200);
    await doWork();
    await catchUp(live);
    await reconcile(workerContext());
    assert.equal((await settlementOf(work)).funding, "confirmed", "what Stripe shows counts, whoever told of it");
    assert.deepEqual(await balancesOf(work), { cash: GROSS, held: -GROSS });
  }
});

test("of many refunds at once by several administrators, one returns the money", async () => {
  const settlementId = await idOf(await fundedLive(live));
  assert.equal(await atOnce("refund", { settlement_id: settlementId }), 1);
  assert.deepEqual(movedAtStripe(live, settlementId).refunds, [GROSS]);
  assertWithinBounds(settlementId);
});

test("of many refunds of a part at once, as many are made as there is money for", async () => {
  const settlementId = await idOf(await fundedLive(live));
  assert.equal(await atOnce("refund", { settlement_id: settlementId, pence: 900 }), 2);
  assertWithinBounds(settlementId);
});

test("of many reversals, and then of many new transfers, at once, one of each is made", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  const settlementId = await idOf(work);
  assert.equal(await atOnce("reverse_transfer", { settlement_id: settlementId }), 1);
  assert.deepEqual(movedAtStripe(live, settlementId).reversals, [NET]);
  await atOnce("send_transfer", { settlement_id: settlementId });
  assert.deepEqual(movedAtStripe(live, settlementId).transfers, [NET, NET]);
  assertWithinBounds(settlementId);
});

test("a refund, a reversal, a transfer and a cancellation at once leave no more with anyone than there was", async () => {
  for (const isSent of [false, true]) {
    const work = await completedLive(live);
    if (isSent) await catchUp(live);
    const settlementId = await idOf(work);
    const acts = ["refund", "reverse_transfer", "send_transfer", "cancel_transfer", "refund", "send_transfer"];
    await Promise.all([
      ...acts.map((act, at) => administrators[at % 2]?.act(act, { settlement_id: settlementId, act_id: newId("act") })),
      doWork(4),
    ]);
    await catchUp(live);
    assertWithinBounds(settlementId);
  }
});

test("of many resolutions of one dispute at once, one decides, and the money follows it", async () => {
  const work = await fundedLive(live);
  await did(work.provider, "start", work);
  await did(work.provider, "submit", work);
  const settlementId = await idOf(work);
  const disputeId = await disputed(work);
  const choices = [
    { resolution: "provider", complete: true },
    { resolution: "requester", refund: true },
    { resolution: "split", provider_pence: 1_000 },
  ];
  const answers = await Promise.all(
    [...choices, ...choices].map((choice, at) =>
      administrators[at % 2]?.act("resolve_dispute", { dispute_id: disputeId, act_id: newId("act"), ...choice }),
    ),
  );
  assert.equal(answers.filter((answer) => answer?.status === 200).length, 1);
  await catchUp(live);
  assertWithinBounds(settlementId);
});

test("after a provider's account was exchanged, a reversal takes from the old one, and a transfer goes to the new one, once", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  const settlementId = await idOf(work);
  const former = work.account;
  live.stripe.deauthorize(former);
  await catchUp(live);
  const next = await onboarded(live, work.provider);
  assert.notEqual(next, former);
  live.stripe.activate(next);
  await catchUp(live);
  assert.equal(await atOnce("reverse_transfer", { settlement_id: settlementId }), 1);
  await atOnce("send_transfer", { settlement_id: settlementId });
  const sent = [...live.stripe.world.transfers.values()].filter(
    ({ transfer_group }) => transfer_group === settlementId,
  );
  assert.deepEqual(
    sent.map(({ destination, amount, amount_reversed }) => [destination, amount, amount_reversed]),
    [
      [former, NET, NET],
      [next, NET, 0],
    ],
  );
  assertWithinBounds(settlementId);
});

test("an account that was exchanged while its transfer waited gets nothing, and its events say nothing about the new one", async () => {
  const work = await completedLive(live);
  const settlementId = await idOf(work);
  const former = work.account;
  const old = { ...live.stripe.world.accounts.get(former) } as never;
  live.stripe.restrict(former);
  await catchUp(live);
  live.stripe.deauthorize(former);
  await catchUp(live);
  const next = await onboarded(live, work.provider);
  await catchUp(live);
  assert.deepEqual(movedAtStripe(live, settlementId).transfers, []);
  // The former account is ready again, and says so.
  live.stripe.world.accounts.set(former, old);
  live.stripe.activate(former);
  await catchUp(live);
  const { rows } = await pool().query(
    "SELECT stripe_account_id AS id, transfers_status AS transfers FROM payment_accounts WHERE identity_id = $1",
    [work.provider.publicId],
  );
  assert.equal(rows[0].id, next);
  assert.deepEqual(movedAtStripe(live, settlementId).transfers, []);
  live.stripe.activate(next);
  await catchUp(live);
  const sent = [...live.stripe.world.transfers.values()].filter(
    ({ transfer_group }) => transfer_group === settlementId,
  );
  assert.deepEqual(
    sent.map(({ destination }) => destination),
    [next],
  );
});

test("a checkout that is paid before a cancellation or an annulment becomes known is due to the requester, and starts nothing", async () => {
  for (const end of ["cancel", "annul"]) {
    const work = await agreedLive(live, GROSS);
    work.paymentId = (await fund(work)).body.payment.payment_id;
    live.stripe.pay(await sessionOf(work.paymentId));
    if (end === "cancel") await did(work.requester, "cancel", work);
    else {
      const dispute = { dispute_id: await disputed(work), resolution: "requester" };
      assert.equal((await administrators[0]?.act("resolve_dispute", dispute))?.status, 200);
    }
    await catchUp(live);
    const { funding, state } = await settlementOf(work);
    assert.deepEqual([funding, state], ["confirmed", "void"], end);
    assert.deepEqual(await balancesOf(work), { cash: GROSS, refund_due: -GROSS });
    assert.equal(outcome(await perform(work.provider, "start", work)), "409 state_conflict");
    assert.deepEqual(transfersOf(live, work), []);
    // The refund that clears what is due is made once, however many order it.
    assert.equal(await atOnce("refund", { settlement_id: await idOf(work) }), 1);
    assert.deepEqual(await balancesOf(work), {});
  }
});

test("after all of this, the books and Stripe agree", () => assertAgreed());
