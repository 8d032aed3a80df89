import type { RequiredScope } from "#lib/kernel/scopes.ts";
import type { GatedAction } from "./gates.ts";

/**
 * How an action is called. Nothing here is decided here: the feature of each action describes its endpoint, this feature stands below
 * most of them, and a test of the OpenAPI document compares the two.
 */
type ActionCall = {
  path: string;
  /** Its `operationId` in OpenAPI. */
  operation: string;
  /** What it needs of an access token. */
  scope: RequiredScope;
  /** The required fields of its body. */
  fields: readonly string[];
  /** The required headers, apart from the credential. */
  headers: readonly string[];
};

/** @param of the path without what all paths share, such as `jobs/give_up` */
const call = (
  of: string,
  scope: RequiredScope,
  fields: readonly string[],
  headers: readonly string[] = [],
): ActionCall => ({
  path: `/api/v1/${of}.php`,
  operation: of.replace(/[/_](.)/g, (_, letter: string) => letter.toUpperCase()),
  scope,
  fields: ["public_id", ...fields],
  headers,
});

const TERMS = ["scope", "amount_pence", "acceptance_criteria", "data_terms"];

export const CALLS = {
  prepare: call("jobs/prepare", "order", ["task_id", "terms"]),
  quote: call("jobs/quote", "work", ["task_id", "amount_pence", "note"]),
  choose_quote: call("jobs/choose_quote", "order", ["quote_id"]),
  claim: call("jobs/claim", "work", ["task_id"]),
  release: call("jobs/release", "work", ["task_id"]),
  propose: call("contracts/create", "order", ["task_id", ...TERMS]),
  accept: call("contracts/accept", "side", ["contract_id", "terms_hash"]),
  decline: call("contracts/decline", "side", ["contract_id", "reason"]),
  fund: call("payments/intent", "pay", ["contract_id"], ["Idempotency-Key"]),
  confirm: call("payments/confirm", "pay", ["payment_id", "outcome"]),
  start: call("jobs/start", "work", ["task_id"]),
  submit: call("jobs/submit", "work", ["task_id", "result"]),
  request_changes: call("jobs/request_changes", "order", ["task_id", "reason"]),
  complete: call("jobs/complete", "order", ["task_id"]),
  cancel: call("jobs/cancel", "order", ["task_id"]),
  dispute: call("jobs/dispute", "side", ["task_id", "reason"]),
  dispute_statement: call("jobs/dispute_statement", "side", ["dispute_id", "statement"]),
  select: call("jobs/select", "order", ["task_id", "provider_public_id"]),
  dismiss: call("jobs/dismiss", "order", ["task_id"]),
  conclude: call("jobs/conclude", "work", ["task_id"]),
  leave: call("jobs/leave", "order", ["task_id"]),
  give_up: call("jobs/give_up", "work", ["task_id"]),
  message: call("jobs/message", "side", ["task_id", "body"]),
  clarify: call("jobs/clarify", "order", ["task_id", "text"]),
} satisfies Partial<Record<GatedAction, ActionCall>>;

/** The actions that a task can offer. */
export type TaskAction = keyof typeof CALLS;
