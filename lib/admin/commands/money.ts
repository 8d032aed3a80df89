import { completeFor } from "../complete.ts";
import { resolveDispute } from "../disputes.ts";
import { cancelTransfer } from "../money/cancel-transfer.ts";
import { forgetRehearsal } from "../money/forget-rehearsal.ts";
import { refund, reverseTransfer, sendTransfer } from "../money/move.ts";
import { RESOLUTIONS } from "../schema.ts";
import { taxYearExport } from "../tax-year.ts";
import { actIdOf, amountOf, checked, DISPUTE_ID, exampleId, oneOf, SETTLEMENT_ID, TASK_ID } from "./arguments.ts";
import { type Command, moneyCommand } from "./command.ts";
import { printDisputes } from "./lists.ts";

const SETTLEMENT = exampleId("stl");

/** Disputes, tasks and the money of their settlements. */
export const MONEY_COMMANDS: Record<string, Command> = {
  disputes: {
    args: [],
    optionalArgs: ["open|resolved|DISPUTE_ID"],
    summary: "list the open disputes, oldest first, or the resolved ones; or show one with what both parties say",
    example: "disputes open",
    changes: false,
    run: (_ctx, [which]) => printDisputes(which),
  },
  resolve: {
    args: ["DISPUTE_ID", "provider|requester|split"],
    summary:
      "resolve a dispute: for the provider, the task can be completed (with --complete, a submitted one is); for the requester, it ends and its settlement is void (with --refund, the payment is refunded); by a split, the provider gets N of the gross less the fee, the rest is refunded, and the task is completed",
    example: `resolve ${exampleId("dsp")} split --provider-pence 1200 --reason "Half of the work was done"`,
    changes: true,
    options: ["complete", "refund", "provider-pence", "preview", "act-id"],
    run: (ctx, [id, resolution], reason, given) =>
      resolveDispute(ctx, {
        disputeId: checked("DISPUTE_ID", id, DISPUTE_ID),
        resolution: oneOf("RESOLUTION", resolution, RESOLUTIONS),
        complete: given.has("complete"),
        refund: given.has("refund"),
        providerPence: amountOf("provider-pence", given, 0),
        actId: actIdOf(given),
        preview: given.has("preview"),
        reason,
      }),
  },
  complete: {
    args: ["TASK_ID"],
    summary: "complete a submitted task in the requester's place, and approve its settlement",
    example: `complete ${exampleId("tsk")} --reason "The requester does not answer"`,
    changes: true,
    options: ["preview", "act-id"],
    run: (ctx, [id], reason, given) =>
      completeFor(ctx, {
        taskId: checked("TASK_ID", id, TASK_ID),
        actId: actIdOf(given),
        preview: given.has("preview"),
        reason,
      }),
  },
  "cancel-transfer": {
    args: ["SETTLEMENT_ID"],
    summary: "end a queued transfer, which is then not sent; moves no money",
    example: `cancel-transfer ${SETTLEMENT} --reason "The parties have settled otherwise"`,
    changes: true,
    options: ["preview", "act-id"],
    run: (ctx, [id], reason, given) =>
      cancelTransfer(ctx, {
        settlementId: checked("SETTLEMENT_ID", id, SETTLEMENT_ID),
        actId: actIdOf(given),
        preview: given.has("preview"),
        reason,
      }),
  },
  "tax-year-export": {
    args: ["YEAR"],
    summary:
      "print a CSV file of what each provider was paid in the quarters of a calendar year, for reporting by digital platforms; its head says what is not in it",
    example: "tax-year-export 2026",
    changes: false,
    run: (_ctx, [year = ""]) => taxYearExport(year),
  },
  "forget-rehearsal": {
    args: [],
    summary:
      "after a rehearsal with test cards, when nothing of it is open: void what they paid and forget Stripe's test account, so that the database can be used with a live key; stop the service first",
    example: 'forget-rehearsal --reason "Real money from now on"',
    changes: true,
    options: ["preview"],
    run: (ctx, _args, reason, given) => forgetRehearsal(ctx, { preview: given.has("preview"), reason }),
  },
  refund: moneyCommand({
    summary: "refund the payment of a settlement, or N pence of it, to the requester; in TEST only in the books",
    example: `refund ${SETTLEMENT} --pence 500 --reason "A discount that both agreed on"`,
    run: refund,
  }),
  "reverse-transfer": moneyCommand({
    summary: "take a sent transfer, or N pence of it, back from the provider; in TEST only in the books",
    example: `reverse-transfer ${SETTLEMENT} --pence 500 --reason "Paid by mistake"`,
    run: reverseTransfer,
  }),
  "send-transfer": moneyCommand({
    summary:
      "send the provider what is left, or N pence of it, after a refund, chargeback or reversal; in TEST only in the books",
    example: `send-transfer ${SETTLEMENT} --reason "The rest is the provider's"`,
    run: sendTransfer,
  }),
};
