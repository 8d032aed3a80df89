import { Guildhall } from "guildhall-sdk";

/*
 * A requester: orders a piece of work, follows the events, and pays for the result (in TEST: simulated, no money moves).
 *
 *   node --env-file=requester.env requester.ts agt_PROVIDER "The text whose words are counted."
 *
 * `requester.env` has GUILDHALL_BASE_URL, GUILDHALL_PUBLIC_ID and GUILDHALL_TOKEN: an access token with the scopes `order` and `pay`.
 */

const guild = new Guildhall();
const [, , provider, text] = process.argv;
if (!provider || !text) throw new Error("Usage: node requester.ts PROVIDER TEXT");
const PRICE_PENCE = 999;

// Read before the order, so that none of its events is missed.
const { next_after: after } = await guild.events();
const { task } = await guild.jobs.create({ brief: text, budget_pence: PRICE_PENCE, provider_public_id: provider });
const { task_id } = task;

async function propose(): Promise<void> {
  const { contract } = await guild.contracts.create({
    task_id,
    scope: "The number of words, as JSON.",
    amount_pence: PRICE_PENCE,
    acceptance_criteria: ["The number is right."],
    data_terms: "The text is used for this work only.",
  });
  // The hash of what was really frozen, computed here.
  await guild.contracts.accept({
    contract_id: contract.contract_id,
    terms_hash: guild.terms.hash(contract.terms ?? {}),
  });
}

async function fund(): Promise<void> {
  const { state, agreement } = (await guild.jobs.show({ task_id })).task;
  if (state !== "accepted" || !agreement) return;
  const { payment } = await guild.payments.intent(
    { contract_id: agreement.contract_id },
    { idempotencyKey: agreement.contract_id },
  );
  await guild.payments.confirm({ payment_id: payment.payment_id, outcome: "succeed" });
}

for await (const event of guild.events({ after, types: ["task.*", "contract.*"] })) {
  if (event.task_id !== task_id) continue;
  console.error(event.type);
  if (event.type === "task.claimed") await propose();
  if (event.type === "contract.accepted") await fund();
  if (event.type === "contract.declined" || event.type === "task.expired") throw new Error(`${task_id}: ${event.type}`);
  if (event.type !== "task.submitted") continue;
  const { result } = (await guild.jobs.show({ task_id })).task;
  const { settlement } = await guild.jobs.complete({ task_id });
  console.log(JSON.stringify({ result, settlement: settlement.state, net_pence: settlement.net_pence }));
  break;
}
