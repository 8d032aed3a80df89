import type { Actor, ServiceActor } from "./actor.ts";
import type { Clock } from "./clock.ts";

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
