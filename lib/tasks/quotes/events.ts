import { audit, type WireEvent } from "#lib/db/audit.ts";
import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import type { EventType } from "#lib/kernel/event-types.ts";
import type { TaskRow } from "../row.ts";
import type { QuoteRow } from "./read.ts";

/** An event about a quote, for one of its two sides. The log says nothing of quotes. */
export function quoteEvent(
  type: Extract<EventType, `quote.${string}`>,
  { id, taskId }: Pick<QuoteRow, "id" | "taskId">,
  recipient: string,
  data: WireEvent["data"] = {},
): WireEvent {
  return { type, taskId, recipients: [recipient], data: { quote_id: id, ...data }, log: undefined };
}

const notChosen = statement(
  "quote.not_chosen",
  { id: text, taskId: text, providerId: text },
  `SELECT q.id, q.task_id AS "taskId", q.provider_id AS "providerId" FROM quotes q JOIN tasks t ON t.id = q.task_id
   WHERE q.task_id = $1 AND q.state <= 'chosen' AND q.expires_at > $2 AND q.provider_id IS DISTINCT FROM t.selected_provider_id
     AND q.provider_id <> ALL (t.dismissed_ids) ORDER BY q.seq`,
);

/**
 * Tells the other providers that their quotes are passed over, because the task is no longer open, or that they are live again.
 * The event names nobody: who got the task is not for rivals. A task has few live quotes (`QUOTES_PER_TASK`).
 */
export async function tellNotChosen(
  tx: AnyTx,
  ctx: Context,
  task: Pick<TaskRow, "id" | "openTo">,
  type: "quote.passed_over" | "quote.reopened",
): Promise<void> {
  if (task.openTo !== "quotes") return;
  const system = { ...ctx, actor: { kind: "system" as const, id: "quotes" } };
  const action = type === "quote.passed_over" ? "pass_over_quote" : "reopen_quote";
  for (const quote of await notChosen.on(connectionOf(tx), task.id, ctx.clock.now()))
    await audit(tx, system, {
      action,
      subjectKind: "task",
      subjectId: task.id,
      data: { quote_id: quote.id },
      event: quoteEvent(type, quote, quote.providerId),
    });
}
