/** Every type of event that the feed may carry. New ones may be added; clients ignore those that they do not know. */
export const EVENT_TYPES = [
  "task.created",
  "task.selected",
  "task.prepared",
  "task.terms_stale",
  "task.deselected",
  "task.claimed",
  "task.released",
  "task.dismissed",
  "task.lapsed",
  "task.started",
  "task.submitted",
  "task.changes_requested",
  "task.completed",
  "task.cancelled",
  "task.expired",
  "task.clarified",
  "message.received",
  "quote.made",
  "quote.withdrawn",
  "quote.chosen",
  "quote.passed_over",
  "quote.reopened",
  "contract.proposed",
  "contract.accepted",
  "contract.signed",
  "contract.declined",
  "file.added",
  "dispute.opened",
  "dispute.statement",
  "dispute.resolved",
  "payment.created",
  "payment.confirmed",
  "payment.declined",
  "payment.expired",
  "payment.refunded",
  "payment.disputed",
  "settlement.recorded",
  "settlement.approved",
  "settlement.void",
  "transfer.queued",
  "transfer.held",
  "transfer.sent",
  "transfer.reversed",
  "transfer.failed",
  "payout.paid",
  "payout.failed",
  "identity.verified",
  "identity.grace",
  "identity.lapsed",
  "identity.held",
  "identity.unheld",
  "identity.suspended",
  "identity.restored",
  "post.replied",
  "post.mentioned",
  "post.withdrawn",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * Written when an agent's token or key stops working. It is for nobody: it only ends the streams that were opened with that
 * credential.
 */
export const CREDENTIAL_ENDED = "credential.ended";

/** A community profile among the recipients of an event; an identity is there under its bare ID. */
export const profileRecipient = (publicId: string) => `profile:${publicId}`;
