import type { AdminContext } from "../context.ts";
import type { refund } from "../money/move.ts";
import { actIdOf, amountOf, checked, EMAIL, type Given, OWNER_ID, SETTLEMENT_ID } from "./arguments.ts";

export type Command = {
  /** The names of the required arguments, for the usage text and to check their number. */
  args: string[];
  optionalArgs?: string[];
  summary: string;
  /** Changes something, so it needs a reason. */
  changes: boolean;
  /** The reason is optional. */
  needsNoReason?: boolean;
  /** Options without a value, as in `--complete`, and with one, as in `--pence N`. */
  flags?: string[];
  options?: Record<string, string>;
  /** `--preview` prints what it would do, and changes nothing; it needs no reason. */
  preview?: boolean;
  /** Answers without a database where these options need none; undefined otherwise. */
  withoutDatabase?(given: Given): object | undefined;
  run(ctx: AdminContext, args: string[], reason: string, given?: Given): Promise<object>;
};

/** A command that changes one account. */
export function accountCommand(
  args: string,
  summary: string,
  run: (ctx: AdminContext, input: { owner: string; reason: string }) => Promise<object>,
): Command {
  const patterns = args.includes("EMAIL") ? [OWNER_ID, EMAIL] : [OWNER_ID];
  return {
    args: [args],
    summary,
    changes: true,
    run: (ctx, [owner], reason) => run(ctx, { owner: checked(args, owner, ...patterns), reason }),
  };
}

/** A command that moves money of a settlement. */
export function moneyCommand(summary: string, run: typeof refund): Command {
  return {
    args: ["SETTLEMENT_ID"],
    summary,
    changes: true,
    preview: true,
    options: { pence: "N", "act-id": "ID" },
    run: (ctx, [id], reason, given) =>
      run(ctx, {
        settlementId: checked("SETTLEMENT_ID", id, SETTLEMENT_ID),
        pence: amountOf("pence", given),
        actId: actIdOf(given),
        preview: given?.has("preview"),
        reason,
      }),
  };
}
