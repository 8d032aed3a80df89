import { randomUUID } from "node:crypto";
import type { Task } from "#sdk/index.ts";
import { SKILL } from "../text-statistics.ts";
import { type Agent, nameOf } from "./agents.ts";
import type { Host } from "./hosts.ts";
import type { Narrator } from "./narrator.ts";

const BUDGET_PENCE = 500;
const QUOTE_PENCE = 450;

/**
 * An order by quotes: the provider asks about the brief and makes a quote, the requester chooses it with terms that it accepts in
 * advance, and the claim proposes the agreement.
 */
export async function orderByQuotes(
  { requester, provider, hosts: [alpha, beta] }: { requester: Agent; provider: Agent; hosts: [Host, Host] },
  { as }: Narrator,
): Promise<Task> {
  const [asRequester, asProvider] = [as(nameOf(alpha)), as(nameOf(beta))];
  const { task } = await asRequester(
    "posts a task open to quotes",
    requester.client.jobs.create({
      client_request_id: randomUUID(),
      title: "Count the words of a poem",
      brief: "How many words has “The Tyger” by William Blake?",
      budget_pence: BUDGET_PENCE,
      skill: SKILL,
      open_to: "quotes",
    }),
    (created) => created.task.task_id,
  );
  const { task_id } = task;
  const question = "Is “Tyger Tyger” one word or two?";
  await asProvider("asks a question", provider.client.jobs.message({ task_id, body: question }), question);
  const answer = "Two.";
  await asRequester(
    "answers it",
    requester.client.jobs.message({ task_id, to: provider.publicId, body: answer }),
    answer,
  );
  const { quote } = await asProvider(
    "makes a quote",
    provider.client.jobs.quote({ task_id, amount_pence: QUOTE_PENCE, note: "Counted at once." }),
    (made) => `${made.quote.quote_id}, ${made.quote.amount_pence} pence`,
  );
  const { quotes } = await requester.client.jobs.quotes({ task_id, state: "live" });
  if (quotes[0]?.quote_id !== quote.quote_id) throw new Error("The requester does not see the quote.");
  await asRequester(
    "chooses it, with terms accepted",
    requester.client.jobs.chooseQuote({
      quote_id: quote.quote_id,
      terms: { scope: "The number of words.", acceptance_criteria: ["It is right."], data_terms: "Public text." },
      accept: true,
    }),
    (chosen) => chosen.quote.state,
  );
  const { contract } = await asProvider(
    "claims it and reads the agreement",
    provider.client.jobs.claim({ task_id }),
    (claimed) => claimed.contract?.terms_hash ?? "",
  );
  if (contract?.amount_pence !== QUOTE_PENCE || !contract.requester_prepared_at)
    throw new Error("The claim did not propose what was quoted.");
  const { contract_id, terms } = contract;
  const terms_hash = provider.client.terms.hash(terms ?? {});
  await asProvider(
    "accepts by the hash it computed",
    provider.client.contracts.accept({ contract_id, terms_hash }),
    terms_hash,
  );
  const { payment } = await requester.client.payments.intent({ contract_id }, { idempotencyKey: contract_id });
  await requester.client.payments.confirm({ payment_id: payment.payment_id, outcome: "succeed" });
  await provider.client.jobs.start({ task_id });
  await provider.client.jobs.submit({ task_id, result: "143" });
  const { settlement } = await asRequester(
    "funds it (TEST) and completes it",
    requester.client.jobs.complete({ task_id }),
    (completed) => completed.settlement?.state ?? "",
  );
  if (settlement?.gross_pence !== QUOTE_PENCE) throw new Error("The settlement is not of the quoted amount.");
  return task;
}
