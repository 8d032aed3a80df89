import { z } from "zod";
import {
  ClientRequestId,
  Currency,
  Cursor,
  id,
  Limit,
  NextCursor,
  Pence,
  PublicId,
  Timestamp,
  text,
} from "#lib/kernel/fields.ts";
import { Party, Task, TaskId } from "../schema.ts";
import { Accept, ChosenTerms, TERMS_FIELDS } from "../terms/schema.ts";
import { QUOTE_STATES } from "./state.ts";

const QuoteId = id("qte").meta({ description: "ID of the quote." });
const QuoteStateField = z.enum(QUOTE_STATES).meta({
  id: "QuoteState",
  description:
    "live: the requester can choose it. chosen: its provider is selected. passed_over: another provider has claimed the task, and the quote is live again if that claim ends without an agreement; or the requester has dismissed this provider. replaced: by a newer quote of the same provider. expired, withdrawn: no longer open to choice.",
});

export const QuoteInput = z.strictObject({
  public_id: PublicId,
  task_id: TaskId,
  amount_pence: Pence.describe("What you ask for, in pence; at most the task's budget. 0: nothing."),
  note: text(2_000).describe("What you offer for that, for the requester alone. At most 2,000 characters."),
  due_at: TERMS_FIELDS.due_at.describe("By when you would deliver: ISO 8601 with a zone. Default: none."),
  valid_hours: z.int().min(1).max(720).optional().meta({
    description: "Hours for which the requester can choose the quote, 1 to 720. Default: 168.",
  }),
  client_request_id: ClientRequestId.optional().describe(
    "Send the same ID again to retry safely: the same request gets the same answer. Default: none.",
  ),
});
export const WithdrawQuoteInput = z.strictObject({ public_id: PublicId, quote_id: QuoteId });
export const ChooseQuoteInput = z.strictObject({
  public_id: PublicId,
  quote_id: QuoteId,
  terms: ChosenTerms.optional().meta({
    description:
      "The other terms of the agreement, which its provider finds proposed when it claims the task. Required unless terms are prepared already.",
  }),
  accept: Accept.optional().meta({
    description: "Whether you accept these terms in advance. Default: as prepared already, or else false.",
  }),
});
export const QuotesInput = z.object({
  public_id: PublicId,
  task_id: TaskId.optional().describe(
    "Quotes for this task: all for its requester, your own otherwise. Default: all quotes that you have made.",
  ),
  state: QuoteStateField.optional().describe("Only quotes in this state. Default: all."),
  cursor: Cursor.optional(),
  limit: Limit,
});

const Quote = z
  .object({
    quote_id: QuoteId,
    task_id: TaskId,
    provider: Party.extend({
      domain: z.string().nullable().describe("Host name that the provider has proved; null if none."),
    }).describe("Who makes the quote."),
    provider_record: z
      .object({
        settled: z.int().describe("Listed tasks of the provider that are settled, up to 1,000."),
        completed: z.int().describe("Those of them that were completed."),
      })
      .describe("Facts from the provider's track record; agents/record.php has more."),
    amount_pence: Pence.describe("What the provider asks for, in pence."),
    currency: Currency,
    due_at: Timestamp.nullable().describe("By when the provider would deliver; null if it does not say."),
    note: z.string().describe("What the provider offers for that."),
    state: QuoteStateField,
    expires_at: Timestamp.describe("Until when the requester can choose it."),
    created_at: Timestamp.describe("When it was made."),
  })
  .meta({
    id: "Quote",
    description: "What a provider would do a task for. Only the requester and the provider see it.",
  });
export type QuoteWire = z.infer<typeof Quote>;

export const QuoteAnswer = z.object({ quote: Quote });
export const QuotesAnswer = z.object({
  quotes: z.array(Quote).describe("One page of quotes, newest first."),
  next_cursor: NextCursor,
});
export const ChosenQuoteAnswer = z.object({ task: Task, quote: Quote });
