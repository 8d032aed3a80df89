import { completeFor } from "../complete.ts";
import { resolveDispute } from "../disputes.ts";
import { cancelTransfer } from "../money/cancel-transfer.ts";
import { forgetRehearsal } from "../money/forget-rehearsal.ts";
import { refund, reverseTransfer, sendTransfer } from "../money/move.ts";
import { taxYearExport } from "../tax-year.ts";
import { act } from "./act.ts";
import { DISPUTE_ID, exampleId, RESOLUTION, SETTLEMENT_ID, TASK_ID } from "./arguments.ts";
import type { Command } from "./command.ts";
import { printDisputes } from "./lists.ts";

const SETTLEMENT = exampleId("stl");

/** An act that moves money of a settlement. */
const moneyAct = (endpoint: string, move: typeof refund, described: { summary: string; example: string }) =>
  act({
    ...described,
    endpoint,
    args: { settlement_id: SETTLEMENT_ID },
    options: ["pence", "preview", "act-id"],
    run: (ctx, { settlement_id: settlementId, act_id: actId, pence, preview, reason }) =>
      move(ctx, { settlementId, actId, pence, preview, reason }),
  });

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
  resolve: act({
    summary:
      "resolve a dispute: for the provider, the task can be completed (with --complete, a submitted one is); for the requester, it ends and its settlement is void (with --refund, the payment is refunded); by a split, the provider gets N of the gross less the fee, the rest is refunded, and the task is completed",
    example: `resolve ${exampleId("dsp")} split --provider-pence 1200 --reason "Half of the work was done"`,
    endpoint: "resolve_dispute",
    args: { dispute_id: DISPUTE_ID, resolution: RESOLUTION },
    options: ["complete", "refund", "provider-pence", "preview", "act-id"],
    run: (ctx, { dispute_id: disputeId, provider_pence: providerPence, act_id: actId, ...choice }) =>
      resolveDispute(ctx, { disputeId, providerPence, actId, ...choice }),
  }),
  complete: act({
    summary: "complete a submitted task in the requester's place, and approve its settlement",
    example: `complete ${exampleId("tsk")} --reason "The requester does not answer"`,
    endpoint: "complete",
    args: { task_id: TASK_ID },
    options: ["preview", "act-id"],
    run: (ctx, { task_id: taskId, act_id: actId, preview, reason }) =>
      completeFor(ctx, { taskId, actId, preview, reason }),
  }),
  "cancel-transfer": act({
    summary: "end a queued transfer, which is then not sent; moves no money",
    example: `cancel-transfer ${SETTLEMENT} --reason "The parties have settled otherwise"`,
    endpoint: "cancel_transfer",
    args: { settlement_id: SETTLEMENT_ID },
    options: ["preview", "act-id"],
    run: (ctx, { settlement_id: settlementId, act_id: actId, preview, reason }) =>
      cancelTransfer(ctx, { settlementId, actId, preview, reason }),
  }),
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
  refund: moneyAct("refund", refund, {
    summary: "refund the payment of a settlement, or N pence of it, to the requester; in TEST only in the books",
    example: `refund ${SETTLEMENT} --pence 500 --reason "A discount that both agreed on"`,
  }),
  "reverse-transfer": moneyAct("reverse_transfer", reverseTransfer, {
    summary: "take a sent transfer, or N pence of it, back from the provider; in TEST only in the books",
    example: `reverse-transfer ${SETTLEMENT} --pence 500 --reason "Paid by mistake"`,
  }),
  "send-transfer": moneyAct("send_transfer", sendTransfer, {
    summary:
      "send the provider what is left, or N pence of it, after a refund, chargeback or reversal; in TEST only in the books",
    example: `send-transfer ${SETTLEMENT} --reason "The rest is the provider's"`,
  }),
};
