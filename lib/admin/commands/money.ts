import { completeFor } from "../complete.ts";
import { resolveDispute } from "../disputes.ts";
import { cancelTransfer } from "../money/cancel-transfer.ts";
import { refund, reverseTransfer, sendTransfer } from "../money/move.ts";
import { RESOLUTIONS } from "../schema.ts";
import { actIdOf, amountOf, checked, DISPUTE_ID, oneOf, SETTLEMENT_ID, TASK_ID } from "./arguments.ts";
import { type Command, moneyCommand } from "./command.ts";
import { printDisputes } from "./lists.ts";

/** Disputes, tasks and the money of their settlements. */
export const MONEY_COMMANDS: Record<string, Command> = {
  disputes: {
    args: [],
    optionalArgs: ["open|resolved|DISPUTE_ID"],
    summary: "list the open disputes, oldest first, or the resolved ones; or show one with what both parties say",
    changes: false,
    run: (_ctx, [which]) => printDisputes(which),
  },
  resolve: {
    args: ["DISPUTE_ID", "provider|requester|split"],
    summary:
      "resolve a dispute: for the provider, the task can be completed (with --complete, a submitted one is); for the requester, it ends and its settlement is void (with --refund, the payment is refunded); by a split, the provider gets N of the gross less the fee, the rest is refunded, and the task is completed",
    changes: true,
    preview: true,
    flags: ["complete", "refund"],
    options: { "provider-pence": "N", "act-id": "ID" },
    run: (ctx, [id, resolution], reason, given) =>
      resolveDispute(ctx, {
        disputeId: checked("DISPUTE_ID", id, DISPUTE_ID),
        resolution: oneOf("RESOLUTION", resolution, RESOLUTIONS),
        complete: given?.has("complete"),
        refund: given?.has("refund"),
        providerPence: amountOf("provider-pence", given, 0),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  },
  complete: {
    args: ["TASK_ID"],
    summary: "complete a submitted task in the requester's place, and approve its settlement",
    changes: true,
    preview: true,
    options: { "act-id": "ID" },
    run: (ctx, [id], reason, given) =>
      completeFor(ctx, {
        taskId: checked("TASK_ID", id, TASK_ID),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  },
  "cancel-transfer": {
    args: ["SETTLEMENT_ID"],
    summary: "end a queued transfer, which is then not sent; moves no money",
    changes: true,
    preview: true,
    options: { "act-id": "ID" },
    run: (ctx, [id], reason, given) =>
      cancelTransfer(ctx, {
        settlementId: checked("SETTLEMENT_ID", id, SETTLEMENT_ID),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  },
  refund: moneyCommand(
    "refund the payment of a settlement, or N pence of it, to the requester; in TEST only in the books",
    refund,
  ),
  "reverse-transfer": moneyCommand(
    "take a sent transfer, or N pence of it, back from the provider; in TEST only in the books",
    reverseTransfer,
  ),
  "send-transfer": moneyCommand(
    "send the provider what is left, or N pence of it, after a refund, chargeback or reversal; in TEST only in the books",
    sendTransfer,
  ),
};
