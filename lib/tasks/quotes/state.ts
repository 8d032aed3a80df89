import type { TaskState } from "../machine.ts";

/** Nobody but its requester learns how many live quotes a task has above this. */
export const COUNTED_QUOTES = 5;

/** Live quotes that a task may have. */
export const QUOTES_PER_TASK = 30;

/** What becomes of a quote; `expired` and `passed_over` follow from the time and from its task. */
export const QUOTE_STATES = ["live", "withdrawn", "replaced", "expired", "chosen", "passed_over"] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

/**
 * The state of a quote, as every reader sees it. A quote that was not chosen is passed over as long as its task is not open, so it is live
 * again if a claim ends without an agreement, unless it is that of a provider that was dismissed. Pure.
 */
export function quoteStateOf(
  quote: {
    state: "live" | "chosen" | "withdrawn" | "replaced";
    providerId: string;
    expiresAt: Date;
    selectedProviderId: string | null;
    /** Whether the requester has dismissed the quote's provider, which cannot claim the task again. */
    isDismissed: boolean;
    /** As readers see it now. */
    taskState: TaskState;
  },
  now: Date,
): QuoteState {
  if (quote.state === "withdrawn" || quote.state === "replaced") return quote.state;
  // A requester that selects someone else by name has chosen this quote no longer.
  if (quote.state === "chosen" && quote.selectedProviderId === quote.providerId) return "chosen";
  if (quote.expiresAt <= now) return "expired";
  return quote.taskState === "open" && !quote.isDismissed ? "live" : "passed_over";
}
