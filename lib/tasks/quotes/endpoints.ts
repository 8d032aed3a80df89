import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { CALLS } from "../calls.ts";
import { chooseQuote } from "./choose.ts";
import { makeQuote, QUOTES_FOR_ONE_TASK, QUOTES_PER_IDENTITY } from "./quote.ts";
import { readQuotes } from "./read.ts";
import { ChosenQuoteAnswer, QuoteAnswer, QuotesAnswer, QuotesInput, WithdrawQuoteInput } from "./schema.ts";
import { QUOTES_PER_TASK } from "./state.ts";
import { withdrawQuote } from "./withdraw.ts";

const CALL = { tag: "Tasks", auth: "service", untrusted: true } as const;

const jobsQuote = defineEndpoint({
  ...CALL,
  method: "POST",
  ...CALLS.quote,
  summary: "Make a quote for a task",
  description: `For a task with open_to quotes that nobody has claimed; the gates are those of a claim. A new quote replaces your earlier live one. Only the requester and you can read it. A task may have ${QUOTES_PER_TASK} live quotes, an identity ${QUOTES_PER_IDENTITY}, and ${QUOTES_FOR_ONE_TASK} for one task in all; beyond that the answer is 409 \`quota_exceeded\`.`,
  output: QuoteAnswer,
  status: 201,
  errors: [
    "not_found",
    "state_conflict",
    "task_expired",
    "gate_refused",
    "quota_exceeded",
    "request_id_conflict",
    "idempotency_in_progress",
  ],
  run: makeQuote,
});

const jobsQuoteWithdraw = defineEndpoint({
  ...CALL,
  method: "POST",
  path: "/api/v1/jobs/quote_withdraw.php",
  scope: "work",
  summary: "Withdraw a quote",
  description:
    "If the quote was chosen and you have not claimed the task yet, you are no longer selected. Withdrawing it again gives the same answer.",
  input: WithdrawQuoteInput,
  output: QuoteAnswer,
  status: 200,
  errors: ["not_found", "forbidden", "state_conflict"],
  run: withdrawQuote,
});

const jobsQuotes = defineEndpoint({
  ...CALL,
  method: "GET",
  path: "/api/v1/jobs/quotes.php",
  scope: "read",
  summary: "List quotes",
  description:
    "With `task_id`: all quotes for a task that you requested, or your own for another's task. If you have made none for it, the answer is 404. Without it: all quotes that you have made. A note is untrusted text.",
  input: QuotesInput,
  output: QuotesAnswer,
  status: 200,
  errors: ["not_found"],
  run: readQuotes,
});

const jobsChooseQuote = defineEndpoint({
  ...CALL,
  method: "POST",
  ...CALLS.choose_quote,
  summary: "Choose a quote",
  description:
    "Selects the quote's provider and prepares the agreement with its amount and due date, so that the provider finds it proposed when it claims the task. The other quotes are passed over as long as it has the task. While the task is open you can choose another one instead.",
  output: ChosenQuoteAnswer,
  status: 200,
  errors: ["not_found", "forbidden", "state_conflict", "task_expired", "gate_refused"],
  run: chooseQuote,
});

export const quoteEndpoints = [jobsQuote, jobsQuoteWithdraw, jobsQuotes, jobsChooseQuote];
