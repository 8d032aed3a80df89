import { canonicalJson } from "#sdk/canonical-json.ts";
import type { Contract, Offer, Task, Terms } from "#sdk/index.ts";
import { sha256Text as sha256 } from "#sdk/sha256.ts";
import { CRITERIA, FREE_OFFER, OFFER, SKILL, scopeFor, textOf } from "../text-statistics.ts";
import type { Limits } from "./config.ts";

/*
 * Which tasks and terms the provider accepts. Text that others wrote is compared, never obeyed: only terms that say exactly
 * what this program can do are accepted. The terms of an order are the service's own, made from one of this provider's offers.
 */

type OwnOffer = Pick<Offer, "offer_id" | "revision" | "price_pence">;

/** Why a task from the inbox is not claimed; undefined if it can be. Pure. */
export function judgeTask(task: Task, limits: Limits): string | undefined {
  if (task.skill !== null && task.skill !== SKILL && task.skill !== FREE_OFFER.skill)
    return `it asks for the skill ${task.skill}`;
  if (task.payment_mode !== "TEST") return `its payment mode is ${task.payment_mode}`;
  if (task.currency !== "GBP") return `its currency is ${task.currency}`;
  // The budget of an order is the offer's price.
  if (!task.offer && task.budget_pence < limits.pricePence)
    return `its budget of ${task.budget_pence} pence is below the price`;
  return textOf(task) === undefined ? "it holds no text to count" : undefined;
}

const TERMS_KEYS: readonly string[] = [
  ...["acceptance_criteria", "amount_pence", "contract_id", "currency", "data_terms", "due_at", "fee_policy"],
  ...["payment_mode", "provider", "requester", "scope", "task_id", "version"],
];

const LEAD_MINUTES = 10;

/**
 * The reasons against these terms; empty if they can be accepted. Pure.
 * With `acceptedAlready` the due time is no longer checked. An order is judged by `offer`, the own offer that it names.
 */
export function judgeContract(
  contract: Contract,
  task: Task,
  me: { publicId: string; limits: Limits },
  now: Date,
  acceptedAlready = false,
  offer?: OwnOffer,
): string[] {
  const { terms, terms_canonical: canonical } = contract;
  if (!terms || canonical === undefined) return ["the terms are not shown"];
  const forged = judgeForm(terms, canonical, contract.terms_hash, Boolean(task.offer));
  if (forged.length > 0) return forged;
  return [
    ...judgeParties(terms, contract, task, me.publicId),
    ...judgeMoney(terms, task, task.offer ? { ...me.limits, pricePence: offer?.price_pence ?? 0 } : me.limits),
    ...(task.offer ? judgeOrder(terms, offer) : judgeWork(terms, task)),
    ...(acceptedAlready ? [] : judgeTime(terms, now)),
  ];
}

/** The hash must be that of these terms in their canonical form: the provider accepts by hash. */
function judgeForm(terms: Terms, canonical: string, hash: string, isOrder: boolean): string[] {
  const known = isOrder ? [...TERMS_KEYS, "offer", "rehearsal"] : TERMS_KEYS;
  return [
    ...when(canonicalJson(terms) !== canonical, "terms_canonical is not the canonical form (RFC 8785) of the terms"),
    ...when(sha256(canonical) !== hash, "terms_hash is not the SHA-256 of terms_canonical"),
    ...when(
      Object.keys(terms).some((key) => !known.includes(key)) || TERMS_KEYS.some((key) => !(key in terms)),
      "the terms hold something that this provider does not know",
    ),
    ...when(terms.version !== 1, "the terms have another version than 1"),
  ];
}

function judgeParties(terms: Terms, contract: Contract, task: Task, publicId: string): string[] {
  return [
    ...when(terms.contract_id !== contract.contract_id, "the terms belong to another contract"),
    ...when(terms.task_id !== task.task_id || contract.task_id !== task.task_id, "the terms belong to another task"),
    ...when(terms.provider.public_id !== publicId, "the terms name another provider"),
    ...when(terms.requester.public_id !== task.parties.requester.public_id, "the terms name another requester"),
  ];
}

function judgeMoney(terms: Terms, task: Task, limits: Limits): string[] {
  const { amount_pence: amount } = terms;
  return [
    ...when(terms.payment_mode !== "TEST" || task.payment_mode !== "TEST", "the payment mode is not TEST"),
    ...when(terms.currency !== "GBP", "the currency is not GBP"),
    ...when(
      !Number.isSafeInteger(amount) || amount < limits.pricePence,
      `the amount is below ${limits.pricePence} pence`,
    ),
    ...when(amount > limits.maxAmountPence, `the amount is above ${limits.maxAmountPence} pence`),
    ...when(terms.fee_policy.bps > limits.maxFeeBps, `the fee is above ${limits.maxFeeBps} basis points`),
  ];
}

/** The service wrote the rest of these terms from the offer as it was at this revision. */
function judgeOrder({ offer: named }: Terms, offer: OwnOffer | undefined): string[] {
  const isCurrent = offer !== undefined && named?.offer_id === offer.offer_id && named.revision === offer.revision;
  return when(!isCurrent, "the terms are not those of an offer as it stands now");
}

function judgeWork(terms: Terms, task: Task): string[] {
  const input = textOf(task);
  const scope = input === undefined ? undefined : scopeFor(OFFER.output, sha256(input));
  return [
    ...when(terms.scope !== scope, "the scope is not what this provider offers for the text in the brief"),
    ...when(terms.data_terms !== OFFER.limits, "the data terms are not those of the offer"),
    ...when(
      !terms.acceptance_criteria.every((criterion) => typeof criterion === "string" && CRITERIA.includes(criterion)),
      "there is an acceptance criterion that this provider does not know",
    ),
  ];
}

function judgeTime(terms: Terms, now: Date): string[] {
  const due = terms.due_at === null ? Number.POSITIVE_INFINITY : Date.parse(terms.due_at);
  return when(!(due >= now.getTime() + LEAD_MINUTES * 60_000), `the work is due in less than ${LEAD_MINUTES} minutes`);
}

function when(condition: boolean, problem: string): string[] {
  return condition ? [problem] : [];
}
