import type { ZodObject, ZodRawShape, z } from "zod";
import type { AdministratorActor, OwnerActor, ProfileActor, ServiceActor } from "./actor.ts";
import type { Context, PublicContext, ServiceContext } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { LimitName } from "./limits.ts";

/**
 * Who may call:
 * - `public`: anyone; a credential is ignored
 * - `public_browser`: anyone, from the service's own pages: exact Origin
 * - `optional`: anyone; a bearer with `public_id` is checked when it is sent, and may see more
 * - `service`: management token as bearer, and its `public_id` in query or body
 * - `bearer`: management token as bearer; `public_id` may be left out
 * - `community`: community key as bearer, or in the body field of its name
 * - `community_or_owner`: the same, or an owner's session with exact Origin and its CSRF token
 * - `management_or_owner`: management token (bearer or body field), or an owner's session likewise
 * - `owner`: an owner's session, for reading
 * - `owner_browser`: an owner's session alone, with Origin and CSRF token whatever else is sent
 * - `owner_second_step`: likewise, with a session that awaits its second factor, which gives access to nothing else
 * - `administrator`: the session of an owner who is an administrator, likewise; for everybody else there is nothing here
 */
export type Auth =
  | "public"
  | "public_browser"
  | "optional"
  | "service"
  | "bearer"
  | "community"
  | "community_or_owner"
  | "management_or_owner"
  | "owner"
  | "owner_browser"
  | "owner_second_step"
  | "administrator";

type ContextFor = {
  public: Context<{ kind: "visitor" }>;
  public_browser: Context<{ kind: "visitor" }>;
  optional: PublicContext;
  service: ServiceContext;
  bearer: ServiceContext;
  community: Context<ProfileActor>;
  community_or_owner: Context<ProfileActor | OwnerActor>;
  management_or_owner: Context<ServiceActor | OwnerActor>;
  owner: Context<OwnerActor>;
  owner_browser: Context<OwnerActor>;
  owner_second_step: Context<OwnerActor>;
  administrator: Context<AdministratorActor>;
};

/**
 * An answer with another status or other headers than the endpoint's usual ones, a stored answer that is sent again unchanged
 * (a string), or one that is written piece by piece (an async iterable of strings).
 */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body;
  /** `Set-Cookie` may have several values. */
  readonly headers: Record<string, string | string[]>;
  constructor(status: number, body: Body, headers: Record<string, string | string[]> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export type EndpointDefinition<A extends Auth, I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>> = {
  method: "GET" | "POST";
  path: `/api/v1/${string}`;
  /** Several endpoints may share a method and path; this field of the query or body says which one is meant. */
  selector?: { field: string; value: string };
  tag: string;
  summary: string;
  description?: string;
  auth: A;
  /** Where the usual limit for its kind of call (public read, authenticated read, write) is not the right one. */
  limit?: LimitName;
  /** A further limit that this call counts against, by its query. */
  alsoLimit?: (query: URLSearchParams) => LimitName | undefined;
  input: I;
  /** The answer without `ok`. */
  output: O;
  status: 200 | 201;
  /** Other success statuses that `run` may choose by a `Reply`. */
  otherStatus?: 200 | 201;
  /** Takes the `Idempotency-Key` header and requires it. */
  idempotencyKey?: boolean;
  /** Carries text written by users: marked `content_trust: "untrusted"`. */
  untrusted?: boolean;
  errors: ErrorCode[];
  run(ctx: ContextFor[A], input: z.output<I>): Promise<z.input<O> | Reply<z.input<O>>>;
};

/** An endpoint as the registry keeps it, its types erased. */
export type Endpoint = Omit<EndpointDefinition<Auth, ZodObject<ZodRawShape>, ZodObject<ZodRawShape>>, "run"> & {
  run(ctx: Context, input: unknown): Promise<unknown>;
};

/** One object that validates, routes, documents and tests an endpoint. */
export function defineEndpoint<A extends Auth, I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>>(
  definition: EndpointDefinition<A, I, O>,
): Endpoint {
  return definition as unknown as Endpoint;
}
