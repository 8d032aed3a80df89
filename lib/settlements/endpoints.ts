import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { CALLS } from "#lib/tasks/calls.ts";
import { REFUSALS, STEP } from "#lib/tasks/endpoints.ts";
import { cancelTask } from "./cancel.ts";
import { completeTask } from "./complete.ts";
import { concludeTask } from "./conclude.ts";
import { giveUpTask, leaveTask } from "./end-work.ts";
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
  ...CALLS.complete,
  summary: "Confirm completion",
  description:
    "Approves the settlement. An approval is not a charge, and a completed task does not prove a transfer or payout.",
  output: CompletionAnswer,
  errors: REFUSALS,
  run: completeTask,
});

const jobsConclude = defineEndpoint({
  ...STEP,
  ...CALLS.conclude,
  summary: "Complete a result that nobody has reviewed",
  description:
    "For the provider, where the agreement has no review period: from the end of the `review` clock on, which is 30 days after the submission unless the service's operator sets another time. Earlier the answer is 409 with `not_before`. It approves the settlement, as jobs/complete.php does. An open dispute, or a hold or suspension of a party by an administrator, prevents it.",
  output: CompletionAnswer,
  errors: REFUSALS,
  run: concludeTask,
});

const jobsLeave = defineEndpoint({
  ...STEP,
  ...CALLS.leave,
  summary: "End overdue work",
  description:
    "For the requester, from the end of the `work` clock on: the due date with its grace period, or 30 days of silence where the agreement has no due date. Earlier the answer is 409 with `not_before`. The task is cancelled and its settlement void. Until then the provider may still start and submit. A confirmed payment is refunded in full; a pending one is ended first. Not while a dispute is open, the task or a party of paid work is on hold, or the payer's bank disputes the payment.",
  errors: REFUSALS,
  run: leaveTask,
});

const jobsGiveUp = defineEndpoint({
  ...STEP,
  ...CALLS.give_up,
  summary: "Give up agreed work",
  description:
    "For the provider, before it submits. The task is cancelled and its settlement void. A confirmed payment is refunded in full; a pending one is ended first. Not while a dispute is open, the task or a party of paid work is on hold, or the payer's bank disputes the payment.",
  errors: REFUSALS,
  run: giveUpTask,
});

const jobsCancel = defineEndpoint({
  ...STEP,
  ...CALLS.cancel,
  summary: "Cancel a task before work starts",
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

export const settlementEndpoints = [
  jobsComplete,
  jobsConclude,
  jobsLeave,
  jobsGiveUp,
  jobsCancel,
  settlementsMine,
  settlementsFeeStatement,
];
