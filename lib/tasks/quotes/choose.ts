import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { gateTask } from "../actions.ts";
import { requireState } from "../admit.ts";
import { taskAfter } from "../change.ts";
import { requireGates } from "../gates.ts";
import { STEPS } from "../machine.ts";
import { setPrepared } from "../prepare.ts";
import type { TaskRow } from "../row.ts";
import { activeProvider, recordSelection } from "../select.ts";
import { requireTerms } from "../terms/check.ts";
import type { ChosenTermsInput, PreparedRow, PreparedTermsInput } from "../terms/schema.ts";
import { changeQuote } from "./change.ts";
import { quoteEvent } from "./events.ts";
import { type QuoteRow, quoteView, requireQuote } from "./read.ts";
import type { ChooseQuoteInput } from "./schema.ts";
import { quoteStateOf } from "./state.ts";

type Input = z.output<typeof ChooseQuoteInput>;

const unchoose = statement(
  "quote.unchoose",
  {},
  "UPDATE quotes SET state = 'live' WHERE task_id = $1 AND state = 'chosen' AND id <> $2",
);
const choose = statement("quote.choose", {}, "UPDATE quotes SET state = 'chosen' WHERE id = $1");

/**
 * Chooses a quote: its provider is selected, and finds the agreement proposed, with the quote's amount and due date, when it claims the
 * task. Another quote may be chosen instead while the task is open.
 * @throws ApiError not_found, forbidden, invalid_input, task_expired, state_conflict, gate_refused
 */
export function chooseQuote(ctx: ServiceContext, input: Input) {
  return changeQuote(ctx, input.quote_id, async (tx, quote, task) => {
    if (quote.requesterId !== ctx.actor.id)
      throw new ApiError("forbidden", "Only the requester of the task can choose a quote.");
    const now = ctx.clock.now();
    requireState(ctx, task, STEPS.claim.from);
    if (quote.isDismissed)
      throw stateConflict(
        "You have dismissed this provider from this task, so it cannot claim it. Choose another one.",
      );
    if (!(await activeProvider(quote.providerId)))
      throw stateConflict(
        "The provider of this quote has been suspended, so it cannot claim the task. Choose another one.",
      );
    const state = quoteStateOf(quote, now);
    if (state !== "live" && state !== "chosen")
      throw stateConflict(`This quote is ${state}. Choose a live one: jobs/quotes.php lists them.`);
    if (quote.dueAt && new Date(quote.dueAt) <= now)
      throw stateConflict(
        "The due date of this quote has passed, so the task could not be claimed. Choose another one.",
      );
    const prepared = preparedFor(quote, task, input, now);
    requireTerms(ctx, task, prepared.terms, "terms.");
    const selected: TaskRow = {
      ...task,
      selectedProviderId: quote.providerId,
      selectedProviderName: quote.providerName,
      selectedProviderDomain: quote.providerDomain,
      selectedProviderHost: quote.providerHost,
    };
    requireGates(ctx.actor, "choose_quote", gateTask(selected, { amountPence: quote.amountPence }));
    await unchoose.on(tx, task.id, quote.id);
    await choose.on(tx, quote.id);
    await setPrepared(tx, ctx, task, prepared);
    if (task.selectedProviderId !== quote.providerId) await recordSelection(tx, ctx, task, quote.providerId);
    await audit(tx, ctx, {
      action: "choose_quote",
      subjectKind: "task",
      subjectId: task.id,
      data: { quote_id: quote.id },
      event: quoteEvent("quote.chosen", quote, quote.providerId),
    });
    return { ...(await taskAfter(tx, ctx, task.id)), quote: quoteView(await requireQuote(tx, ctx, quote.id), now) };
  });
}

/** The terms that come with the choice, or that were prepared before, with the quote's own amount and due date. */
function preparedFor(quote: QuoteRow, task: TaskRow, { terms, accept }: Input, now: Date): PreparedRow {
  const earlier = task.prepared;
  const given: (ChosenTermsInput & Pick<PreparedTermsInput, "due_at">) | undefined = terms ?? earlier?.terms;
  if (!given) throw invalidInput("terms", "must be sent, because none are prepared for this task");
  if (terms?.due_in_hours !== undefined && quote.dueAt !== null)
    throw invalidInput("terms.due_in_hours", "must not be sent, because the quote says when the work is due");
  const { due_at: _, due_in_hours: hours, grace_hours: grace, ...rest } = given;
  const due = quote.dueAt === null ? { due_in_hours: hours } : { due_at: quote.dueAt };
  // The grace period of earlier terms goes with their due date.
  const isGraceful = terms !== undefined || quote.dueAt !== null || hours !== undefined;
  return {
    terms: { ...rest, ...due, ...(isGraceful ? { grace_hours: grace } : {}), amount_pence: quote.amountPence },
    accept: accept ?? earlier?.accept ?? false,
    at: now.toISOString(),
    for: quote.providerId,
  };
}
