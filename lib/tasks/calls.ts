import { type Endpoint, requiredFields } from "#lib/kernel/endpoint.ts";
import { operationId } from "#lib/kernel/operation-id.ts";
import { DisputeStatementInput } from "./disputes/schema.ts";
import type { GatedAction } from "./gates.ts";
import { ClarifyInput, MessageInput } from "./messages/schema.ts";
import { ChooseQuoteInput, QuoteInput } from "./quotes/schema.ts";
import {
  ConfirmInput,
  IntentInput,
  PrepareInput,
  RequiredReasonInput,
  SelectInput,
  SubmitInput,
  TaskReasonInput,
  TaskStepInput,
} from "./schema.ts";
import { AcceptInput, DeclineInput, ProposeInput } from "./terms/schema.ts";

/**
 * The call of each action that a task can offer. Its endpoint is declared with these, in the feature that answers it: most of those
 * stand above this one, which has to say how each action is called.
 */
export const CALLS = {
  prepare: { path: "/api/v1/jobs/prepare.php", scope: "order", input: PrepareInput },
  quote: { path: "/api/v1/jobs/quote.php", scope: "work", input: QuoteInput },
  choose_quote: { path: "/api/v1/jobs/choose_quote.php", scope: "order", input: ChooseQuoteInput },
  claim: { path: "/api/v1/jobs/claim.php", scope: "work", input: TaskStepInput },
  release: { path: "/api/v1/jobs/release.php", scope: "work", input: TaskReasonInput },
  propose: { path: "/api/v1/contracts/create.php", scope: "order", input: ProposeInput },
  accept: { path: "/api/v1/contracts/accept.php", scope: "side", input: AcceptInput },
  decline: { path: "/api/v1/contracts/decline.php", scope: "side", input: DeclineInput },
  fund: { path: "/api/v1/payments/intent.php", scope: "pay", input: IntentInput, idempotencyKey: true },
  confirm: { path: "/api/v1/payments/confirm.php", scope: "pay", input: ConfirmInput },
  start: { path: "/api/v1/jobs/start.php", scope: "work", input: TaskStepInput },
  submit: { path: "/api/v1/jobs/submit.php", scope: "work", input: SubmitInput },
  request_changes: { path: "/api/v1/jobs/request_changes.php", scope: "order", input: RequiredReasonInput },
  complete: { path: "/api/v1/jobs/complete.php", scope: "order", input: TaskStepInput },
  cancel: { path: "/api/v1/jobs/cancel.php", scope: "order", input: TaskReasonInput },
  dispute: { path: "/api/v1/jobs/dispute.php", scope: "side", input: RequiredReasonInput },
  dispute_statement: { path: "/api/v1/jobs/dispute_statement.php", scope: "side", input: DisputeStatementInput },
  select: { path: "/api/v1/jobs/select.php", scope: "order", input: SelectInput },
  dismiss: { path: "/api/v1/jobs/dismiss.php", scope: "order", input: TaskReasonInput },
  conclude: { path: "/api/v1/jobs/conclude.php", scope: "work", input: TaskStepInput },
  leave: { path: "/api/v1/jobs/leave.php", scope: "order", input: TaskReasonInput },
  give_up: { path: "/api/v1/jobs/give_up.php", scope: "work", input: TaskReasonInput },
  message: { path: "/api/v1/jobs/message.php", scope: "side", input: MessageInput },
  clarify: { path: "/api/v1/jobs/clarify.php", scope: "order", input: ClarifyInput },
} as const satisfies Partial<Record<GatedAction, Pick<Endpoint, "path" | "scope" | "input" | "idempotencyKey">>>;

/** The actions that a task can offer. */
export type TaskAction = keyof typeof CALLS;

type CallWords = { path: string; operation: string; fields: string[]; headers: string[] };

/** The same in words: the operation in OpenAPI, the required fields of the body and the required headers, apart from the credential. */
export const CALL_WORDS = Object.fromEntries(
  Object.entries<Pick<Endpoint, "path" | "input" | "idempotencyKey">>(CALLS).map(([action, call]) => [
    action,
    {
      path: call.path,
      operation: operationId({ method: "POST", path: call.path }),
      fields: requiredFields(call.input),
      headers: call.idempotencyKey ? ["Idempotency-Key"] : [],
    },
  ]),
) as Record<TaskAction, CallWords>;
