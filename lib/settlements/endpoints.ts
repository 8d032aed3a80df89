import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { REFUSALS, STEP } from "#lib/tasks/endpoints.ts";
import { TaskReasonInput, TaskStepInput } from "#lib/tasks/schema.ts";
import { cancelTask } from "./cancel.ts";
import { completeTask } from "./complete.ts";
import { readFeeStatement } from "./fee-statement/statement.ts";
import { mySettlements } from "./read.ts";
import {
  CompletionAnswer,
  FeeStatementAnswer,
  FeeStatementInput,
  MySettlementsAnswer,
  MySettlementsInput,
} from "./schema.ts";

const jobsComplete = defineEndpoint({
  ...STEP,
  path: "/api/v1/jobs/complete.php",
  scope: "order",
  summary: "Confirm completion",
  description:
    "Approves the settlement. An approval is not a charge, and a completed task does not prove a transfer or payout.",
  input: TaskStepInput,
  output: CompletionAnswer,
  errors: REFUSALS,
  run: completeTask,
});

const jobsCancel = defineEndpoint({
  ...STEP,
  path: "/api/v1/jobs/cancel.php",
  scope: "order",
  summary: "Cancel a task before work starts",
  input: TaskReasonInput,
  errors: REFUSALS,
  run: cancelTask,
});

const settlementsMine = defineEndpoint({
  method: "GET",
  path: "/api/v1/settlements/mine.php",
  tag: "Settlements",
  summary: "List the caller's settlements",
  description:
    "A settlement records the agreed gross, fee and net amounts. It is not a charge until a payment is confirmed.",
  auth: "bearer",
  scope: "read",
  input: MySettlementsInput,
  output: MySettlementsAnswer,
  status: 200,
  errors: [],
  run: mySettlements,
});

const settlementsFeeStatement = defineEndpoint({
  method: "GET",
  path: "/api/v1/settlements/fee_statement.php",
  tag: "Settlements",
  summary: "Read the statement of the platform's fee",
  description:
    "For the provider of a completed LIVE settlement, who pays the fee out of the gross: as JSON, and as a page to print. VAT is shown only if the operator claims it. It changes with refunds and chargebacks.",
  auth: "service",
  scope: "read",
  untrusted: true,
  input: FeeStatementInput,
  output: FeeStatementAnswer,
  status: 200,
  errors: ["not_found", "state_conflict"],
  run: readFeeStatement,
});

export const settlementEndpoints = [jobsComplete, jobsCancel, settlementsMine, settlementsFeeStatement];
