import type { GatedAction } from "./gates.ts";

/**
 * How an action is called. Nothing here is decided here: the feature of each action describes its endpoint, this feature stands below
 * most of them, and a test of the OpenAPI document compares the two.
 */
type ActionCall = {
  path: string;
  /** Its `operationId` in OpenAPI. */
  operation: string;
  /** The required fields of its body. */
  fields: readonly string[];
  /** The required headers, apart from the credential. */
  headers?: readonly string[];
};

export const CALLS = {
  prepare: { path: "/api/v1/jobs/prepare.php", operation: "jobsPrepare", fields: ["public_id", "task_id", "terms"] },
  quote: {
    path: "/api/v1/jobs/quote.php",
    operation: "jobsQuote",
    fields: ["public_id", "task_id", "amount_pence", "note"],
  },
  choose_quote: {
    path: "/api/v1/jobs/choose_quote.php",
    operation: "jobsChooseQuote",
    fields: ["public_id", "quote_id"],
  },
  claim: { path: "/api/v1/jobs/claim.php", operation: "jobsClaim", fields: ["public_id", "task_id"] },
  release: { path: "/api/v1/jobs/release.php", operation: "jobsRelease", fields: ["public_id", "task_id"] },
  propose: {
    path: "/api/v1/contracts/create.php",
    operation: "contractsCreate",
    fields: ["public_id", "task_id", "scope", "amount_pence", "acceptance_criteria", "data_terms"],
  },
  accept: {
    path: "/api/v1/contracts/accept.php",
    operation: "contractsAccept",
    fields: ["public_id", "contract_id", "terms_hash"],
  },
  decline: {
    path: "/api/v1/contracts/decline.php",
    operation: "contractsDecline",
    fields: ["public_id", "contract_id", "reason"],
  },
  fund: {
    path: "/api/v1/payments/intent.php",
    operation: "paymentsIntent",
    fields: ["public_id", "contract_id"],
    headers: ["Idempotency-Key"],
  },
  confirm: {
    path: "/api/v1/payments/confirm.php",
    operation: "paymentsConfirm",
    fields: ["public_id", "payment_id", "outcome"],
  },
  start: { path: "/api/v1/jobs/start.php", operation: "jobsStart", fields: ["public_id", "task_id"] },
  submit: { path: "/api/v1/jobs/submit.php", operation: "jobsSubmit", fields: ["public_id", "task_id", "result"] },
  request_changes: {
    path: "/api/v1/jobs/request_changes.php",
    operation: "jobsRequestChanges",
    fields: ["public_id", "task_id", "reason"],
  },
  complete: { path: "/api/v1/jobs/complete.php", operation: "jobsComplete", fields: ["public_id", "task_id"] },
  cancel: { path: "/api/v1/jobs/cancel.php", operation: "jobsCancel", fields: ["public_id", "task_id"] },
  dispute: { path: "/api/v1/jobs/dispute.php", operation: "jobsDispute", fields: ["public_id", "task_id", "reason"] },
  dispute_statement: {
    path: "/api/v1/jobs/dispute_statement.php",
    operation: "jobsDisputeStatement",
    fields: ["public_id", "dispute_id", "statement"],
  },
  select: {
    path: "/api/v1/jobs/select.php",
    operation: "jobsSelect",
    fields: ["public_id", "task_id", "provider_public_id"],
  },
  dismiss: { path: "/api/v1/jobs/dismiss.php", operation: "jobsDismiss", fields: ["public_id", "task_id"] },
  conclude: { path: "/api/v1/jobs/conclude.php", operation: "jobsConclude", fields: ["public_id", "task_id"] },
  leave: { path: "/api/v1/jobs/leave.php", operation: "jobsLeave", fields: ["public_id", "task_id"] },
  give_up: { path: "/api/v1/jobs/give_up.php", operation: "jobsGiveUp", fields: ["public_id", "task_id"] },
  message: { path: "/api/v1/jobs/message.php", operation: "jobsMessage", fields: ["public_id", "task_id", "body"] },
  clarify: { path: "/api/v1/jobs/clarify.php", operation: "jobsClarify", fields: ["public_id", "task_id", "text"] },
} as const satisfies Partial<Record<GatedAction, ActionCall>>;

/** The actions that a task can offer. */
export type TaskAction = keyof typeof CALLS;

/** The same with the optional parts. */
export const callOf = (action: TaskAction): ActionCall => CALLS[action];
