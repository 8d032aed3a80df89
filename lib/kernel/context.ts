import type { Actor, OwnerActor, ProfileActor, ServiceActor } from "./actor.ts";
import { type Clock, systemClock } from "./clock.ts";
import { newId } from "./ids.ts";

/** Where a request came from. */
export type Client = {
  /** In the form that limits use: IPv6 by its /64. */
  address: string;
  userAgent: string | null;
  /** The whole `Cookie` header. */
  cookie: string | null;
};

/** A request whose body is a file. */
export type Upload = {
  /** `Content-Length`; null without one. */
  length: number | null;
  mediaType: string | null;
  /** `Repr-Digest` */
  digest: string | null;
  /** The reader owns the pieces. */
  body: AsyncIterable<Uint8Array> | null;
  /** Lets the body take so long to arrive, instead of what is usual for a request. */
  allowSeconds(seconds: number): void;
};

/** The headers of a request for a file. */
export type Download = {
  ifNoneMatch: string | null;
  ifRange: string | null;
  range: string | null;
  /** Only the headers of the answer are asked for. */
  isHead: boolean;
};

/** What a verb or read receives in addition to its input. */
export type Context<A extends Actor = Actor> = {
  actor: A;
  clock: Clock;
  requestId: string;
  /** Absent if no request is being answered: on the command line and in background jobs. */
  client?: Client;
  /** The `Idempotency-Key` header, unquoted, where the endpoint declares one. */
  idempotencyKey?: string;
  /** For endpoints that take a file. */
  upload?: Upload;
  /** For endpoints that answer with a file. */
  download?: Download;
};

export type ServiceContext = Context<ServiceActor>;
export type PublicContext = Context<ServiceActor | { kind: "visitor" }>;

export type ProfileContext = Context<ProfileActor>;
export type OwnerContext = Context<OwnerActor>;

/** What a page that anyone may read passes to the reads that it shares with the endpoints. */
export function visitorContext(): Context<{ kind: "visitor" }> {
  return { actor: { kind: "visitor" }, clock: systemClock, requestId: newId("req") };
}
