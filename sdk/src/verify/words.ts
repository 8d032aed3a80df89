import { isPence } from "./attachments.ts";
import { type Erased, type Facts, isErased, type Statement } from "./bundle.ts";
import type { DealLine } from "./report.ts";

/** `£9.99` for 999. */
function pounds(pence: unknown): string {
  return isPence(pence) ? `£${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, "0")}` : "an unknown amount";
}

function figures({ gross_pence: gross, fee_pence: fee, net_pence: net, awarded_pence: awarded, simulated }: Facts) {
  const split = `${pounds(gross)}: fee ${pounds(fee)}, to the provider ${pounds(net)}`;
  return `${split}${awarded === undefined ? "" : `, of ${pounds(awarded)} awarded`}${simulated === true ? " (simulated)" : ""}`;
}

const amount = (facts: Facts) =>
  facts.amount_pence === undefined
    ? ""
    : `: ${pounds(facts.amount_pence)}${facts.simulated === true ? " (simulated)" : ""}`;

function checked(criteria: { passed?: unknown }[]): string {
  return `; it passes ${criteria.filter((each) => each?.passed === true).length} of ${criteria.length} automatic checks`;
}

const EVENTS: Record<string, (facts: Facts) => string> = {
  "task.created": ({ requester, provider, budget_pence: budget, payment_mode: mode, visibility }) =>
    `${requester} created a task (${visibility}, ${mode}) with a budget of ${pounds(budget)}${mode === "TEST" ? " simulated" : ""}${provider ? ` for ${provider}` : ""}`,
  "task.prepared": ({ prepared, accept }) =>
    prepared === true
      ? `The requester prepared terms for the next claim${accept === true ? " and accepted them in advance" : ""}`
      : "The requester took its prepared terms back",
  "task.claimed": ({ provider }) => `${provider} claimed the task`,
  "task.selected": ({ provider }) => `The requester selected ${provider}`,
  "task.deselected": () => "The requester no longer selects a provider",
  "task.dismissed": () => "The requester dismissed the provider",
  "task.lapsed": ({ awaited }) => `The claim lapsed; it waited for the ${awaited}`,
  "task.released": () => "The provider released the task",
  "task.clarified": () => "The requester clarified the brief",
  "task.started": () => "Work started",
  "task.submitted": ({ evidence_hash: hash, files_hash: files, criteria }) =>
    `A result was submitted${files ? " with files" : ""}${hash ? `; evidence hash ${hash}` : ""}${Array.isArray(criteria) ? checked(criteria) : ""}`,
  "task.changes_requested": () => "The requester asked for changes",
  "task.completed": ({ by }) => `The task was completed by the ${by}`,
  "task.cancelled": ({ step }) =>
    step === "leave"
      ? "The requester ended overdue work; the task was cancelled"
      : step === "give_up"
        ? "The provider gave up the work; the task was cancelled"
        : "The task was cancelled",
  "task.expired": () => "The task expired",
  "contract.proposed": ({ contract_id: id, terms_hash: hash }) => `Terms were proposed: ${id}, ${hash}`,
  "contract.accepted": ({ contract_id: id, by, prepared_at: prepared }) =>
    `The ${by} accepted the terms of ${id}${prepared === undefined ? "" : `, as prepared at ${prepared}`}`,
  "contract.signed": ({ contract_id: id, by }) => `The ${by} signed its acceptance of the terms of ${id}`,
  "contract.declined": ({ contract_id: id }) => `The terms of ${id} were declined`,
  "dispute.opened": ({ dispute_id: id }) => `A dispute was opened: ${id}`,
  "dispute.statement": ({ dispute_id: id, by }) => `The ${by} made a statement in the dispute ${id}`,
  "dispute.resolved": ({ dispute_id: id, resolution }) => `The dispute ${id} was resolved: ${resolution}`,
  "payment.confirmed": (facts) => `A payment was confirmed${amount(facts)}`,
  "payment.refunded": (facts) => `Money was refunded${amount(facts)}`,
  "payment.disputed": (facts) => `The payment was disputed with the bank${amount(facts)}`,
  "settlement.recorded": (facts) => `The settlement was recorded: ${figures(facts)}`,
  "settlement.approved": (facts) => `The settlement was approved: ${figures(facts)}`,
  "settlement.void": (facts) => `The settlement became void: ${figures(facts)}`,
  "transfer.sent": (facts) => `The provider's share was transferred${amount(facts)}`,
  "transfer.reversed": (facts) => `The transfer was reversed${amount(facts)}`,
  "payout.paid": (facts) => `The payout was paid${amount(facts)}`,
  "payout.failed": (facts) => `The payout failed${amount(facts)}`,
  "identity.verified": ({ domain }) => `The platform verified control of ${domain}`,
  "identity.lapsed": ({ domain }) => `The proof of ${domain} lapsed`,
};

/** The facts without what has no place in a sentence: turning such values into text may fail. */
function readable(facts: Facts): Facts {
  const isReadable = (name: string, value: unknown) =>
    typeof value !== "object" || value === null || (name === "criteria" && Array.isArray(value));
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, isReadable(name, value) ? value : "(unreadable)"]),
  );
}

/** A statement in words. Control characters, which could rewrite a terminal, are left out. */
export function wordsOf({ event, facts, actor }: Statement): string {
  // The names of events come from the file, so one may also be a name that every object has.
  const words = Object.hasOwn(EVENTS, event) ? (EVENTS[event]?.(readable(facts)) ?? event) : event;
  const by = actor.public_id ?? (actor.kind === "system" ? "the platform itself" : `the ${actor.kind}`);
  return visible(words.includes(by) ? words : `${words} (by ${by})`);
}

/** Who deals with whom about how much: the last entry that says it counts. Null if no entry is about a task. */
export function dealIn(statements: readonly (Statement | Erased)[]): DealLine | null {
  const last = (name: string) =>
    statements.reduce<unknown>((found, each) => (isErased(each) ? found : (each.facts[name] ?? found)), null);
  const text = (name: string) => {
    const value = last(name);
    return typeof value === "string" ? visible(value) : null;
  };
  const amount = last("gross_pence");
  const [requester, provider, mode] = [text("requester"), text("provider"), text("payment_mode")];
  if (requester === null) return null;
  return { requester, provider, amount_pence: isPence(amount) ? amount : null, payment_mode: mode };
}

export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "");
}
