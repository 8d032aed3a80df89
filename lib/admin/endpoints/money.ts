import { completeFor } from "../complete.ts";
import { resolveDispute } from "../disputes.ts";
import { cancelTransfer } from "../money/cancel-transfer.ts";
import { refund, reverseTransfer, sendTransfer } from "../money/move.ts";
import * as schema from "../schema.ts";
import { act } from "./act.ts";

/** An act that moves money of a settlement. */
const moneyAct = (name: string, summary: string, run: typeof refund) =>
  act({
    name,
    summary,
    input: schema.MoneyInput,
    output: schema.MoneyAnswer,
    errors: ["state_conflict"],
    run: (ctx, { settlement_id: settlementId, act_id: actId, pence, reason, preview }) =>
      run(ctx, { settlementId, actId, pence, reason, preview }),
  });

export const moneyActs = [
  act({
    name: "resolve_dispute",
    summary: "Resolve a dispute for one of the parties, or by a split",
    input: schema.ResolveInput,
    output: schema.ResolutionAnswer,
    errors: ["state_conflict"],
    run: (ctx, { dispute_id: disputeId, provider_pence: providerPence, act_id: actId, reason, ...choice }) =>
      resolveDispute(ctx, { disputeId, providerPence, actId, reason, ...choice }),
  }),
  act({
    name: "complete",
    summary: "Complete a submitted task in the requester's place",
    input: schema.TaskInput,
    output: schema.CompletedAnswer,
    errors: ["state_conflict"],
    run: (ctx, { task_id: taskId, act_id: actId, reason, preview }) =>
      completeFor(ctx, { taskId, actId, reason, preview }),
  }),
  act({
    name: "cancel_transfer",
    summary: "End a queued transfer, which is then not sent",
    input: schema.SettlementInput,
    output: schema.SettlementAnswer,
    errors: ["state_conflict"],
    run: (ctx, { settlement_id: settlementId, act_id: actId, reason, preview }) =>
      cancelTransfer(ctx, { settlementId, actId, reason, preview }),
  }),
  moneyAct("refund", "Refund the payment of a settlement, or a part of it", refund),
  moneyAct("reverse_transfer", "Take a sent transfer, or a part of it, back from the provider", reverseTransfer),
  moneyAct(
    "send_transfer",
    "Send the provider what is left, or a part of it, after a refund, chargeback or reversal",
    sendTransfer,
  ),
];
