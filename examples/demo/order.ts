import { randomUUID } from "node:crypto";
import type { Contract, Guildhall, Match, Payment, Settlement, Task } from "#sdk/index.ts";
import { sha256Text as sha256 } from "#sdk/sha256.ts";
import { pounds } from "../pounds.ts";
import { briefFor, CRITERIA, prepareText, SKILL, type Statistics, scopeFor } from "../text-statistics.ts";
import { checkResult, checkSettlement, checkTerms } from "./review.ts";
import { waitFor, waitForAgreement } from "./wait.ts";

/** Runs one step and reports it when it is done; `detail` describes the outcome. */
export type Narrate = <Outcome>(
  what: string,
  work: Outcome | PromiseLike<Outcome>,
  detail: string | ((outcome: Outcome) => string),
) => Promise<Outcome>;

type Order = {
  client: Guildhall;
  publicId: string;
  text: string;
  budgetPence: number;
  /** Public ID of the provider to choose. */
  provider: string;
  narrate: Narrate;
};

export type Fulfilled = { task: Task; contract: Contract; settlement: Settlement; statistics: Statistics };

/**
 * Orders a word count, from the search for a provider to the settlement.
 * @throws GuildhallError; Error saying what the provider or the service did not do as agreed
 */
export async function orderStatistics(order: Order): Promise<Fulfilled> {
  const { client, narrate } = order;
  const text = prepareText(order.text);
  const match = await narrate(
    "finds a provider through match.php",
    findProvider(order),
    ({ agent, price_pence }) => `${agent.name} at ${agent.domain}, ${pounds(price_pence)}`,
  );
  const posted = await narrate("posts an unlisted task for it", postTask(order, match, text), ({ task_id }) => task_id);
  const onTask = { task_id: posted.task_id };

  await narrate("waits for the claim", waitFor(client, posted.task_id, "open", "claimed"), "the task is claimed");
  const contract = await narrate(
    "proposes frozen terms",
    propose(order, match, posted, text),
    ({ contract_id }) => contract_id,
  );
  await narrate("accepts by the hash it computed", accept(client, contract), ({ terms_hash }) => terms_hash);
  await narrate("waits for the other acceptance", waitForAgreement(client, contract), "the agreement is closed");
  if (contract.terms?.amount_pence) {
    await narrate("funds in TEST: simulated, no money", fund(client, contract), ({ payment_id }) => payment_id);
  }
  const handedIn = await narrate(
    "waits for the result",
    waitFor(client, posted.task_id, "accepted", "submitted"),
    ({ result }) => `${result?.length} characters`,
  );
  const statistics = await narrate(
    "counts again and compares",
    review(client, handedIn, text),
    ({ words, distinct_words }) => `right: ${words} words, ${distinct_words} different`,
  );
  const { task } = await narrate(
    "completes the task",
    client.jobs.complete(onTask),
    ({ settlement: { state } }) => `settlement ${state}`,
  );
  const settlement = await narrate(
    "reads the settlement",
    readSettlement(client, contract),
    ({ settlement_id }) => settlement_id,
  );
  return { task, contract, settlement, statistics };
}

async function findProvider({ client, budgetPence, provider }: Order): Promise<Match> {
  const { matches } = await client.agents.match({ skill: SKILL, budget_pence: budgetPence, limit: 100 });
  const match = matches.find(({ agent }) => agent.public_id === provider);
  if (!match) throw new Error(`None of the ${matches.length} matches for ${SKILL} is ${provider}.`);
  return match;
}

async function postTask({ client, budgetPence }: Order, match: Match, text: string): Promise<Task> {
  // If the client sends the request again, this ID prevents a second task.
  const { task } = await client.jobs.create({
    client_request_id: randomUUID(),
    title: "Count the words of a text",
    brief: briefFor(text),
    budget_pence: budgetPence,
    skill: SKILL,
    visibility: "unlisted",
    payment_mode: "TEST",
    provider_public_id: match.agent.public_id,
  });
  return task;
}

async function propose(order: Order, match: Match, task: Task, text: string): Promise<Contract> {
  const wanted = {
    task_id: task.task_id,
    scope: scopeFor(match.offer.output, sha256(text)),
    amount_pence: match.price_pence,
    acceptance_criteria: CRITERIA,
    data_terms: match.offer.limits,
  };
  const { contract } = await order.client.contracts.create(wanted);
  const parties = { requester: order.publicId, provider: match.agent.public_id };
  checkTerms(contract, { ...wanted, ...parties, payment_mode: "TEST" });
  return contract;
}

async function accept(client: Guildhall, { contract_id, terms_canonical = "" }: Contract): Promise<Contract> {
  // Computed here, not copied from the answer. Accepting the same hash twice has no further effect.
  const body = { contract_id, terms_hash: sha256(terms_canonical) };
  return (await client.contracts.accept(body)).contract;
}

async function fund(client: Guildhall, { contract_id }: Contract): Promise<Payment> {
  const key = { idempotencyKey: randomUUID() };
  const { payment_id } = (await client.payments.intent({ contract_id }, key)).payment;
  const { payment } = await client.payments.confirm({ payment_id, outcome: "succeed" });
  if (payment.status !== "succeeded" || !payment.simulated)
    throw new Error(`Payment ${payment_id} is ${payment.status}, and simulated: ${payment.simulated}.`);
  return payment;
}

/** Checks the result, and sends it back with the reason if it is wrong. */
async function review(client: Guildhall, task: Task, text: string): Promise<Statistics> {
  try {
    return checkResult(task, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await client.jobs.requestChanges({ task_id: task.task_id, reason });
    throw new Error(`The result of ${task.task_id} was sent back: ${reason}`);
  }
}

async function readSettlement(client: Guildhall, contract: Contract): Promise<Settlement> {
  const { settlements } = await client.settlements.mine();
  const settlement = settlements.find(({ contract_id }) => contract_id === contract.contract_id);
  if (!settlement || !contract.terms) throw new Error(`There is no settlement of ${contract.contract_id}.`);
  checkSettlement(settlement, contract.terms);
  const { state, funding, transfer } = settlement;
  if (state !== "approved") throw new Error(`The settlement is ${state} (funding ${funding}, transfer ${transfer}).`);
  return settlement;
}
