import type { z } from "zod";
import { requireParticipant } from "#lib/community/read.ts";
import type { ProfileActor, ServiceActor } from "#lib/kernel/actor.ts";
import type { Context } from "#lib/kernel/context.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { readEvents, recipientsOf } from "./read.ts";
import type { EventsAnswer, EventsInput } from "./schema.ts";
import { requireStillAdmitted } from "./still-admitted.ts";
import { isTailOpen } from "./tail.ts";
import { deadlineOf, wakeUp } from "./wake-up.ts";

export type FeedContext = Context<ServiceActor | ProfileActor>;
export type FeedInput = z.output<typeof EventsInput>;

/** @throws ApiError profile_cannot_participate; invalid_input if a management token comes without its public_id */
export function requireReader({ actor }: FeedContext, input: Pick<FeedInput, "public_id">): void {
  if (actor.kind === "profile") requireParticipant(actor);
  else if (!input.public_id) throw invalidInput("public_id", "is required with a management token");
}

/**
 * The caller's events after a position. With `wait`, and as long as there is none, it waits for one. How many calls wait is
 * bounded by the connections that clients may have open, and by the calls per minute that a credential has.
 * @throws ApiError cursor_expired, profile_cannot_participate, identity_suspended, invalid_input
 */
export async function pollEvents(ctx: FeedContext, input: FeedInput): Promise<z.output<typeof EventsAnswer>> {
  requireReader(ctx, input);
  const recipients = recipientsOf(ctx.actor);
  const { types, limit } = input;
  const deadline = deadlineOf(ctx, input.wait);
  const isOpen = input.wait > 0 && (await isTailOpen(input.wait * 1000));
  const waiting = isOpen ? wakeUp(ctx.actor, { recipients, types }) : undefined;
  try {
    let page = await readEvents(recipients, input);
    let goesOn = waiting !== undefined && limit > 0;
    const waited = goesOn && page.events.length === 0;
    while (goesOn && page.events.length === 0) {
      // The last reading comes at the deadline, and moves past everything until then.
      if (!page.hasMore) goesOn = (await waiting?.woken(deadline)) === true;
      if (waiting?.over) break;
      page = await readEvents(recipients, { after: page.nextAfter, types, limit });
    }
    // A suspension just before this call followed events would not have ended it.
    if (waited && page.events.length > 0) await requireStillAdmitted(ctx);
    return { events: page.events, next_after: page.nextAfter, has_more: page.hasMore };
  } finally {
    waiting?.end();
  }
}
