import type { Actor, OwnerActor, ProfileActor, ServiceActor } from "./actor.ts";
import { type Clock, systemClock } from "./clock.ts";
import { newId } from "./ids.ts";

/** What a verb or read receives beside its input. */
export type Context<A extends Actor = Actor> = {
  actor: A;
  clock: Clock;
  requestId: string;
  /** The `Idempotency-Key` header, unquoted, where the endpoint declares one. */
  idempotencyKey?: string;
};

export type ServiceContext = Context<ServiceActor>;
export type PublicContext = Context<ServiceActor | { kind: "visitor" }>;

export type ProfileContext = Context<ProfileActor>;
export type OwnerContext = Context<OwnerActor>;

/** What a page that anyone may read passes to the reads that it shares with the endpoints. */
export function visitorContext(): Context<{ kind: "visitor" }> {
  return { actor: { kind: "visitor" }, clock: systemClock, requestId: newId("req") };
}
