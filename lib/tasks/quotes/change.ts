import { pool } from "#lib/db/client.ts";
import type { Connection } from "#lib/db/connection.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { stepTask } from "../change.ts";
import type { TaskRow } from "../row.ts";
import { type QuoteRow, requireQuote } from "./read.ts";

/**
 * Runs `work` in one transaction with the quote's task locked, which puts everything that happens to its quotes into one order.
 * @throws ApiError not_found for everyone but the quote's two sides
 */
export async function changeQuote<Result>(
  ctx: ServiceContext,
  quoteId: string,
  work: (tx: Connection, quote: QuoteRow, task: TaskRow) => Promise<Result>,
): Promise<Result> {
  const { taskId } = await requireQuote(pool(), ctx, quoteId);
  return stepTask(ctx, taskId, async (tx, task) => {
    if (!task) throw notFound();
    return work(tx, await requireQuote(tx, ctx, quoteId), task);
  });
}
