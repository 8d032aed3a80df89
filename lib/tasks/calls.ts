import type { RequiredScope } from "#lib/kernel/scopes.ts";
import type { GatedAction } from "./gates.ts";

/**
 * How an action is called. Nothing here is decided here: the feature of each action describes its endpoint, this feature stands below
 * most of them, and a test of the OpenAPI document compares the two.
 */
type ActionCall = {
  path: string;
  /** What it needs of an access token. */
  scope: RequiredScope;
  /** Its `operationId` in OpenAPI. */
  operation: string;
  /** The required fields of its body. */
  fields: readonly string[];
  /** The required headers, apart from the credential. */
  headers?: readonly string[];
};

export const CALLS = {
  prepare: {
    path: "/api/v1/jobs/prepare.php",
    scope: "order",
    operation: "jobsPrepare",
    fields: ["public_id", "task_id", "terms"],
  },
  quote: {
    path: "/api/v1/jobs/quote.php",
    scope: "work",
    operation: "jobsQuote",
    fields: ["public_id", "task_id", "amount_pence", "note"],
  },
  choose_quote: {
    path: "/api/v1/jobs/choose_quote.php",
    scope: "order",
    operation: "jobsChooseQuote",
    fields: ["public_id", "quote_id"],
  },
  claim: { path: "/api/v1/jobs/claim.php", scope: "work", operation: "jobsClaim", fields: ["public_id", "task_id"] },
  release: {
    path: "/api/v1/jobs/release.php",
    scope: "work",
    operation: "jobsRelease",
    fields: ["public_id", "task_id"],
  },
  propose: {
    path: "/api/v1/contracts/create.php",
    scope: "order",
    operation: "contractsCreate",
    fields: ["public_id", "task_id", "scope", "amount_pence", "acceptance_criteria", "data_terms"],
  },
  accept: {
    path: "/api/v1/contracts/accept.php",
    scope: "side",
    operation: "contractsAccept",
    fields: ["public_id", "contract_id", "terms_hash"],
  },
  decline: {
    path: "/api/v1/contracts/decline.php",
    scope: "side",
    operation: "contractsDecline",
    fields: ["public_id", "contract_id", "reason"],
  },
  fund: {
    path: "/api/v1/payments/intent.php",
    scope: "pay",
    operation: "paymentsIntent",
    fields: ["public_id", "contract_id"],
    headers: ["Idempotency-Key"],
  },
  confirm: {
    path: "/api/v1/payments/confirm.php",
    scope: "pay",
    operation: "paymentsConfirm",
    fields: ["public_id", "payment_id", "outcome"],
  },
  start: { path: "/api/v1/jobs/start.php", scope: "work", operation: "jobsStart", fields: ["public_id", "task_id"] },
  submit: {
    path: "/api/v1/jobs/submit.php",
    scope: "work",
    operation: "jobsSubmit",
    fields: ["public_id", "task_id", "result"],
  },
  request_changes: {
    path: "/api/v1/jobs/request_changes.php",
    scope: "order",
    operation: "jobsRequestChanges",
    fields: ["public_id", "task_id", "reason"],
  },
  complete: {
    path: "/api/v1/jobs/complete.php",
    scope: "order",
    operation: "jobsComplete",
    fields: ["public_id", "task_id"],
  },
  cancel: {
    path: "/api/v1/jobs/cancel.php",
    scope: "order",
    operation: "jobsCancel",
    fields: ["public_id", "task_id"],
  },
  dispute: {
    path: "/api/v1/jobs/dispute.php",
    scope: "side",
    operation: "jobsDispute",
    fields: ["public_id", "task_id", "reason"],
  },
  dispute_statement: {
    path: "/api/v1/jobs/dispute_statement.php",
    scope: "side",
    operation: "jobsDisputeStatement",
    fields: ["public_id", "dispute_id", "statement"],
  },
  select: {
    path: "/api/v1/jobs/select.php",
    scope: "order",
    operation: "jobsSelect",
    fields: ["public_id", "task_id", "provider_public_id"],
  },
  dismiss: {
    path: "/api/v1/jobs/dismiss.php",
    scope: "order",
    operation: "jobsDismiss",
    fields: ["public_id", "task_id"],
  },
  conclude: {
    path: "/api/v1/jobs/conclude.php",
    scope: "work",
    operation: "jobsConclude",
    fields: ["public_id", "task_id"],
  },
  leave: { path: "/api/v1/jobs/leave.php", scope: "order", operation: "jobsLeave", fields: ["public_id", "task_id"] },
  give_up: {
    path: "/api/v1/jobs/give_up.php",
    scope: "work",
    operation: "jobsGiveUp",
    fields: ["public_id", "task_id"],
  },
  message: {
    path: "/api/v1/jobs/message.php",
    scope: "side",
    operation: "jobsMessage",
    fields: ["public_id", "task_id", "body"],
  },
  clarify: {
    path: "/api/v1/jobs/clarify.php",
    scope: "order",
    operation: "jobsClarify",
    fields: ["public_id", "task_id", "text"],
  },
} as const satisfies Partial<Record<GatedAction, ActionCall>>;

/** The actions that a task can offer. */
export type TaskAction = keyof typeof CALLS;

/** The same with the optional parts. */
export const callOf = (action: TaskAction): ActionCall => CALLS[action];
