import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { END, firstRows } from "#lib/db/list.ts";
import { Conditions, statement, statements } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";
import { isDomainProved } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { page } from "#lib/kernel/cursor.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { findTask, seenState } from "../row.ts";
import type { QuotesInput, QuoteWire } from "./schema.ts";
import { type QuoteState, quoteStateOf } from "./state.ts";

/** A quote (`q`) with its task (`t`) and its provider (`i`), at the time in `$1`. */
const QUOTE = {
  id: db.text.from("q.id"),
  seq: db.bigint.from("q.seq"),
  taskId: db.text.from("q.task_id"),
  providerId: db.text.from("q.provider_id"),
  amountPence: db.integer.from("q.amount_pence"),
  note: db.text.from("q.note"),
  dueAt: db.nullable(db.text).from("q.due_at"),
  state: db.quoteState.from("q.state"),
  expiresAt: db.timestamp.from("q.expires_at"),
  createdAt: db.timestamp.from("q.created_at"),
  requesterId: db.text.from("t.requester_id"),
  selectedProviderId: db.nullable(db.text).from("t.selected_provider_id"),
  isDismissed: db.boolean.from("q.provider_id = ANY (t.dismissed_ids)"),
  taskState: db.taskState.from(seenState("$1")),
  providerName: db.text.from("i.name"),
  providerDomain: db.domainStatus.from("i.domain_status"),
  providerHost: db.nullable(db.text).from("i.host"),
  record: db.jsonb<{ settled: number; completed: number }>().from(`(
    SELECT jsonb_build_object('settled', count(*), 'completed', count(*) FILTER (WHERE s.completed))
    FROM (SELECT completed FROM settled_tasks WHERE provider_id = q.provider_id LIMIT 1000) s)`),
};
export type QuoteRow = db.RowOf<typeof QUOTE>;

const selectQuotes = (from: string, tail: string) =>
  `SELECT ${db.select(QUOTE)} FROM ${from} q JOIN tasks t ON t.id = q.task_id JOIN identities i ON i.id = q.provider_id ${tail}`;

const byId = statement("quote.by_id", QUOTE, selectQuotes("quotes", "WHERE q.id = $2"));

/** The quote of this ID, as this transaction sees it, for its two sides. @throws ApiError not_found, also for everyone else */
export async function requireQuote(tx: AnyTx, { actor, clock }: ServiceContext, quoteId: string): Promise<QuoteRow> {
  const [quote] = await byId.on(connectionOf(tx), clock.now(), quoteId);
  if (!quote || (actor.id !== quote.requesterId && actor.id !== quote.providerId)) throw notFound();
  return quote;
}

export function quoteView(quote: QuoteRow, now: Date): QuoteWire {
  const isProved = isDomainProved(quote.providerDomain);
  return {
    quote_id: quote.id,
    task_id: quote.taskId,
    provider: {
      public_id: quote.providerId,
      name: quote.providerName,
      verified: isProved,
      domain: isProved ? quote.providerHost : null,
    },
    provider_record: quote.record,
    amount_pence: quote.amountPence,
    currency: "GBP",
    due_at: quote.dueAt,
    note: quote.note,
    state: quoteStateOf(quote, now),
    expires_at: iso(quote.expiresAt),
    created_at: iso(quote.createdAt),
  };
}

const CHOSEN = "q.state = 'chosen' AND q.provider_id = t.selected_provider_id";
const LEFT = `q.state <= 'chosen' AND (${CHOSEN}) IS NOT TRUE`;

const OPEN = `${seenState("$1")} = 'open' AND q.provider_id <> ALL (t.dismissed_ids)`;

/** What `quoteStateOf` says, in SQL. */
const IN_STATE: Record<QuoteState, string> = {
  withdrawn: "q.state = 'withdrawn'",
  replaced: "q.state = 'replaced'",
  chosen: CHOSEN,
  expired: `${LEFT} AND q.expires_at <= $1`,
  live: `${LEFT} AND q.expires_at > $1 AND ${OPEN}`,
  passed_over: `${LEFT} AND q.expires_at > $1 AND NOT (${OPEN})`,
};

const listed = statements("quote.list", QUOTE);
const hasQuoted = statement(
  "quote.has_quoted",
  { has: db.boolean },
  "SELECT EXISTS (SELECT FROM quotes WHERE provider_id = $1 AND task_id = $2) AS has",
);

/**
 * Quotes, newest first: those for a task, or those that the caller has made.
 * @throws ApiError not_found for a task that the caller neither requested nor made a quote for
 */
export async function readQuotes(ctx: ServiceContext, input: z.output<typeof QuotesInput>) {
  const { actor } = ctx;
  const now = ctx.clock.now();
  const { task_id: taskId } = input;
  const task = taskId === undefined ? undefined : await findTask(taskId, now);
  const isRequester = task?.requesterId === actor.id;
  if (taskId !== undefined && !isRequester && !(task && (await hasQuoted(actor.id, taskId))[0]?.has)) throw notFound();
  const conditions = new Conditions();
  conditions.value(now);
  const below = conditions.value(input.cursor ?? END);
  const limit = conditions.value(input.limit + 1);
  conditions.add("below", `q.seq < ${below}`);
  if (!isRequester) conditions.add("own", `q.provider_id = ${conditions.value(actor.id)}`);
  if (taskId !== undefined) conditions.add("task", `q.task_id = ${conditions.value(taskId)}`);
  if (input.state) conditions.add(input.state, IN_STATE[input.state]);
  const rows = await listed(conditions.variant, () =>
    firstRows(selectQuotes("quotes", `${conditions.where} ORDER BY q.seq DESC`), limit),
  )(...conditions.values);
  const { rows: shown, nextCursor } = page(rows, input);
  return { quotes: shown.map((quote) => quoteView(quote, now)), next_cursor: nextCursor };
}
