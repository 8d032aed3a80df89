import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Contract, Settlement } from "#sdk/index.ts";
import { sha256Text as sha256 } from "#sdk/sha256.ts";
import type { StripeStandIn } from "#stripe-stand-in/stand-in.ts";
import { pounds } from "../pounds.ts";
import { SKILL } from "../text-statistics.ts";
import type { Agent } from "./agents.ts";
import type { Narrate } from "./order.ts";

/** The parties of the rehearsal, and the functions that narrate what they do. */
type Act = {
  requester: Agent;
  provider: Agent;
  alpha: Narrate;
  beta: Narrate;
  as: (who: string) => Narrate;
  stripe: StripeStandIn;
  pricePence: number;
};

const PATIENCE_SECONDS = 90;

/** Presses a button on a page of the stand-in, as a person would. @returns the URL that the page leads to */
async function press(page: string, button: string, more: Record<string, string> = {}): Promise<string> {
  const body = new URLSearchParams({ do: button, ...more });
  const response = await fetch(page, { method: "POST", body, redirect: "manual" });
  const location = response.headers.get("Location");
  if (response.status !== 303 || !location) throw new Error(`The page ${page} answers ${response.status}.`);
  return location;
}

/** The provider sets up its payment account, and the account's holder answers Stripe's questions. */
export async function readyForMoney({ provider, beta, as }: Act): Promise<void> {
  const readiness = () => provider.client.payments.accountShow();
  const open = ({ readiness: steps }: Awaited<ReturnType<typeof readiness>>) =>
    steps.flatMap(({ step, done }) => (done ? [] : step)).join(", ") || "ready";
  await beta("asks what its account still needs", readiness(), open);
  const { onboarding_url: url } = await beta(
    "sets up a payment account",
    provider.client.payments.accountOpen({ contact_email: "operator@beta.example" }),
    (answer) => new URL(answer.onboarding_url).pathname,
  );
  const page = new URL(url);
  await as("holder")(
    "answers Stripe's questions",
    press(`${page.origin}${page.pathname}`, "submit", { return: page.searchParams.get("return") ?? "" }),
    "submitted",
  );
  // The service answers from what it knows; Stripe's event that the account has changed is a moment away.
  const isReady = (answer: Awaited<ReturnType<typeof readiness>>) => open(answer) === "ready";
  const ready = await beta("asks again", readUntil(readiness, isReady), open);
  if (open(ready) !== "ready") throw new Error(`The payment account still needs ${open(ready)}.`);
}

/** An agreement and its checkout: the first card is declined, the second pays. */
export async function fundByCard({ requester, provider, alpha, beta, as, pricePence }: Act): Promise<Contract> {
  const { task } = await alpha(
    "posts an unlisted LIVE task",
    requester.client.jobs.create({
      client_request_id: randomUUID(),
      title: "Count the words of a fable",
      brief: "Count the words of the fable of the hare and the tortoise.",
      budget_pence: pricePence,
      skill: SKILL,
      visibility: "unlisted",
      payment_mode: "LIVE",
      provider_public_id: provider.publicId,
    }),
    (answer) => `${answer.task.task_id}, ${pounds(pricePence)}`,
  );
  const onTask = { task_id: task.task_id };
  await beta("claims it", provider.client.jobs.claim(onTask), task.task_id);
  const { contract } = await alpha(
    "proposes frozen terms",
    requester.client.contracts.create({
      ...onTask,
      scope: "Count the words of one fable.",
      amount_pence: pricePence,
      acceptance_criteria: ["The number is correct."],
      data_terms: "Public text only.",
    }),
    (answer) => answer.contract.terms_hash,
  );
  const terms = { contract_id: contract.contract_id, terms_hash: contract.terms_hash };
  await alpha("accepts", requester.client.contracts.accept(terms), contract.contract_id);
  await beta("accepts", provider.client.contracts.accept(terms), contract.contract_id);
  const { payment } = await alpha(
    "starts to fund it",
    requester.client.payments.intent({ contract_id: contract.contract_id }, { idempotencyKey: randomUUID() }),
    (answer) => answer.payment.payment_id,
  );
  const checkout = payment.checkout_url ?? "";
  await as("payer")("tries a card", press(checkout, "decline"), "declined");
  await as("payer")("pays with another card", press(checkout, "pay"), () => pounds(pricePence));
  await alpha(
    "sees the funding confirmed",
    until(requester, contract, ({ funding }) => funding === "confirmed"),
    ({ funding, is_charge }) => `${funding}, ${is_charge ? "a charge" : "no charge"}`,
  );
  return contract;
}

/** The work, which can start only because it is funded. */
export async function workOn({ requester, provider, alpha, beta }: Act, contract: Contract): Promise<void> {
  const onTask = { task_id: contract.task_id };
  await beta("starts work", provider.client.jobs.start(onTask), ({ task }) => task.state);
  const result = "The fable has 143 words.";
  await beta(
    "submits result and evidence hash",
    provider.client.jobs.submit({ ...onTask, result, evidence_hash: sha256(result) }),
    ({ task }) => task.state,
  );
  await alpha(
    "completes the task",
    requester.client.jobs.complete(onTask),
    ({ settlement }) => `settlement ${settlement.state}, transfer ${settlement.transfer}`,
  );
}

/** The transfer to the provider's account and the payout to its bank. */
export async function settle({ provider, beta, as, stripe }: Act, contract: Contract): Promise<Settlement> {
  const sent = await beta(
    "sees the transfer",
    until(provider, contract, ({ transfer }) => transfer === "sent"),
    ({ transfer, net_pence }) => `${transfer}, ${pounds(net_pence)}`,
  );
  const account = stripe
    .books()
    .transfers.find(({ transferGroup }) => transferGroup === sent.settlement_id)?.destination;
  if (!account) throw new Error("The stand-in has no such transfer.");
  stripe.advance(3 * 86_400);
  const payout = await as("Stripe")("lets three days pass, and pays out", stripe.payout(account), (id) => id);
  await beta(
    "sees the payout on its way",
    until(provider, contract, (settlement) => settlement.payout === "pending"),
    (settlement) => settlement.payout,
  );
  await as("bank")("receives the payout", stripe.payoutPaid(payout), "");
  return beta(
    "sees that it has arrived",
    until(provider, contract, (settlement) => settlement.payout === "paid"),
    (settlement) => settlement.payout,
  );
}

/** Reads until it is as expected, or for so long that it never will be: that depends on webhooks, which take their time. */
async function readUntil<Value>(read: () => PromiseLike<Value>, isReached: (value: Value) => boolean): Promise<Value> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const value = await read();
    if (isReached(value) || performance.now() > deadline) return value;
    await delay(250);
  }
}

/** The settlement, once it is as expected. @throws Error if that takes too long */
async function until(
  { client }: Agent,
  { contract_id }: Contract,
  isReached: (settlement: Settlement) => boolean,
): Promise<Settlement> {
  const read = async () =>
    (await client.settlements.mine()).settlements.find((settlement) => settlement.contract_id === contract_id);
  const found = await readUntil(read, (settlement) => settlement !== undefined && isReached(settlement));
  if (found && isReached(found)) return found;
  throw new Error(`The settlement of ${contract_id} did not reach the expected state.`);
}
