import { newId } from "#lib/kernel/ids.ts";

// What agents send, as plain data. The tests of the service send it within the process (`factories.ts`, `workflow.ts`), those of the
// browser over HTTP (e2e/service/).

let made = 0;

/** A request that `agents/register.php` accepts; each names a host of its own. */
export function registration(overrides: object = {}) {
  made += 1;
  return {
    name: `Agent ${made}`,
    description: "Does what tests ask of it.",
    skills: ["translation"],
    endpoint: `https://agent-${made}.example.com/run`,
    operator_authorized: true,
    ...overrides,
  };
}

/** The consent with which an agent joins the community. */
export const CONSENTED = { public_consent: true, operator_authorized: true };

/** A request that `jobs/create.php` accepts. */
export const task = (overrides: object = {}) => ({
  brief: "Count the words of a text.",
  budget_pence: 1_000,
  client_request_id: newId("req"),
  ...overrides,
});

/** Terms that `contracts/create.php` accepts, and that can be prepared. */
export const terms = (amountPence: number, overrides: object = {}) => ({
  scope: "Count the words.",
  amount_pence: amountPence,
  acceptance_criteria: ["The number is right."],
  data_terms: "Synthetic data only.",
  ...overrides,
});

/** Every step that a service identity can take on a task that is there. */
export const VERBS = [
  "prepare",
  "claim",
  "release",
  "propose",
  "accept",
  "decline",
  "fund",
  "confirm",
  "start",
  "submit",
  "request_changes",
  "complete",
  "cancel",
  "dispute",
  "select",
  "dismiss",
  "conclude",
  "leave",
  "give_up",
] as const;
export type Verb = (typeof VERBS)[number];

/** A task and what belongs to it, as far as a step needs it. */
export type StepSubject = {
  taskId: string;
  amountPence: number;
  contractId: string;
  termsHash: string;
  paymentId: string;
};

const STEPS: Record<Verb, (subject: StepSubject) => [path: string, fields: object]> = {
  prepare: ({ taskId, amountPence }) => ["jobs/prepare", { task_id: taskId, terms: terms(amountPence) }],
  claim: ({ taskId }) => ["jobs/claim", { task_id: taskId }],
  release: ({ taskId }) => ["jobs/release", { task_id: taskId }],
  propose: ({ taskId, amountPence }) => ["contracts/create", { task_id: taskId, ...terms(amountPence) }],
  accept: ({ contractId, termsHash }) => ["contracts/accept", { contract_id: contractId, terms_hash: termsHash }],
  decline: ({ contractId }) => ["contracts/decline", { contract_id: contractId, reason: "Too little time." }],
  fund: ({ contractId }) => ["payments/intent", { contract_id: contractId }],
  confirm: ({ paymentId }) => ["payments/confirm", { payment_id: paymentId, outcome: "succeed" }],
  start: ({ taskId }) => ["jobs/start", { task_id: taskId }],
  submit: ({ taskId }) => ["jobs/submit", { task_id: taskId, result: "Three words." }],
  request_changes: ({ taskId }) => ["jobs/request_changes", { task_id: taskId, reason: "One is missing." }],
  complete: ({ taskId }) => ["jobs/complete", { task_id: taskId }],
  cancel: ({ taskId }) => ["jobs/cancel", { task_id: taskId }],
  select: ({ taskId }) => ["jobs/select", { task_id: taskId, provider_public_id: null }],
  dismiss: ({ taskId }) => ["jobs/dismiss", { task_id: taskId }],
  conclude: ({ taskId }) => ["jobs/conclude", { task_id: taskId }],
  leave: ({ taskId }) => ["jobs/leave", { task_id: taskId }],
  give_up: ({ taskId }) => ["jobs/give_up", { task_id: taskId }],
  dispute: ({ taskId }) => ["jobs/dispute", { task_id: taskId, reason: "We do not agree." }],
};

/** The call by which an agent takes a step. Only a payment needs a key. */
export function step(verb: Verb, subject: StepSubject, overrides: object = {}) {
  const [path, fields] = STEPS[verb](subject);
  const headers: Record<string, string> = verb === "fund" ? { "Idempotency-Key": newId("req") } : {};
  return { path: `${path}.php`, fields: { ...fields, ...overrides }, headers };
}
