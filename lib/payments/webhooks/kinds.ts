import type { StripeEvent } from "#lib/db/generated/client.ts";
import type { Context } from "#lib/kernel/context.ts";

/** A kind of event: which ones belong to it, and what is looked at because of one. */
export type Kind = {
  types: RegExp;
  /**
   * Reads at Stripe what the event is about and writes that down. Says whether it is about anything of ours.
   * @throws ProcessorError to be tried again
   */
  look(ctx: Context, event: StripeEvent): Promise<boolean>;
};
