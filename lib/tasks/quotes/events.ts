import type { WireEvent } from "#lib/db/audit.ts";
import type { EventType } from "#lib/kernel/event-types.ts";
import type { QuoteRow } from "./read.ts";

/** An event about a quote, for one of its two sides. The log says nothing of quotes. */
export function quoteEvent(
  type: Extract<EventType, `quote.${string}`>,
  { id, taskId }: QuoteRow,
  recipient: string,
  data: WireEvent["data"] = {},
): WireEvent {
  return { type, taskId, recipients: [recipient], data: { quote_id: id, ...data }, log: undefined };
}
