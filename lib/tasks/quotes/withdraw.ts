import { audit } from "#lib/db/audit.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, stateConflict } from "#lib/kernel/errors.ts";
import { recordSelection } from "../select.ts";
import { changeQuote } from "./change.ts";
import { quoteEvent } from "./events.ts";
import { quoteView } from "./read.ts";
import { quoteStateOf } from "./state.ts";

const withdraw = statement("quote.withdraw", {}, "UPDATE quotes SET state = 'withdrawn' WHERE id = $1");

/**
 * Withdraws a quote. If it was chosen and the task is not claimed yet, its provider is no longer selected. Again: the same answer.
 * @throws ApiError not_found, forbidden, state_conflict
 */
export function withdrawQuote(ctx: ServiceContext, { quote_id: quoteId }: { quote_id: string }) {
  return changeQuote(ctx, quoteId, async (tx, quote, task) => {
    if (quote.providerId !== ctx.actor.id)
      throw new ApiError("forbidden", "Only the provider that made this quote can withdraw it.");
    const now = ctx.clock.now();
    const state = quoteStateOf(quote, now);
    if (state === "withdrawn") return { quote: quoteView(quote, now) };
    if (state === "replaced" || state === "expired") throw stateConflict(`This quote is ${state}.`);
    if (state === "chosen" && quote.taskState !== "open")
      throw stateConflict("You have claimed the task with this quote. Release the task instead.");
    await withdraw.on(tx, quote.id);
    if (state === "chosen") await recordSelection(tx, ctx, task, null);
    const event = quoteEvent("quote.withdrawn", quote, quote.requesterId);
    await audit(tx, ctx, {
      action: "withdraw_quote",
      subjectKind: "task",
      subjectId: task.id,
      data: { quote_id: quote.id },
      event,
    });
    return { quote: quoteView({ ...quote, state: "withdrawn" }, now) };
  });
}
