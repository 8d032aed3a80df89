import type { Readable } from "node:stream";
import type { ZodObject, ZodRawShape, z } from "zod";
import type { Auth, CallerOf, TakesManagementToken } from "./access.ts";
import type { Actor } from "./actor.ts";
import type { Context } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { LimitName } from "./limits.ts";
import type { RequiredScope } from "./scopes.ts";

/** A whole JSON answer as text, `ok` included, that is sent unchanged: a stored answer, or one that is written in pieces. */
export class JsonText<Text extends string | AsyncIterable<string> = string> {
  readonly text: Text;
  /** What the text is apart from when it was made: its ETag. Undefined where all of it counts. */
  readonly version: string | undefined;
  constructor(text: Text, version?: string) {
    this.text = text;
    this.version = version;
  }
}

/** The bytes of a file as the answer; null for an answer without a body. */
export class Bytes {
  readonly body: Readable | null;
  constructor(body: Readable | null) {
    this.body = body;
  }
}

/** An answer with another status or other headers than the endpoint's usual ones, or an answer as JSON text. */
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

/** Where a stream is written to. */
export type StreamSink = {
  write(text: string): void;
  end(): void;
  /** Bytes that were written and that the client has not read yet. */
  readonly unread: number;
  /** Settled when the client has read everything, or is gone. */
  drained(): Promise<void>;
  /** Calls the listener once when the client is gone or the stream has ended, at once if that has happened already. */
  onClose(listener: () => void): void;
};

/** An answer as server-sent events: it writes to its sink until one of the two ends. */
export type EventStream = (sink: StreamSink) => void;

/** Where a management token is taken, what an access token needs must be said. */
type ScopeOf<A extends Auth, I extends ZodObject<ZodRawShape>> = A extends TakesManagementToken
  ? {
      scope: RequiredScope;
      /** Fields that need something else, if they are sent. */
      fieldScopes?: { [Field in keyof I["shape"]]?: RequiredScope };
    }
  : { scope?: never; fieldScopes?: never };

export type EndpointDefinition<
  A extends Auth,
  I extends ZodObject<ZodRawShape>,
  O extends ZodObject<ZodRawShape>,
> = Definition<A, I, O> & ScopeOf<A, I>;

type Definition<A extends Auth, I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>> = {
  method: "GET" | "POST" | "PUT";
  path: `/api/v1/${string}`;
  /** The body, or the answer, is a file: its input is in the query and in the last part of the path, which is `{file}` in `path`. */
  transfer?: "upload" | "download";
  /** The field of the input that is the last part of the path. */
  pathField?: string;
  /** Whether this installation offers it; if not, there is nothing at its path. Default: it does. */
  live?: () => boolean;
  /** Several endpoints may share a method and path; this field of the query or body says which one is meant. */
  selector?: { field: string; value: string };
  tag: string;
  summary: string;
  description?: string;
  auth: A;
  /** Where the usual limit for its kind of call (public read, authenticated read, write) is not the right one. */
  limit?: LimitName;
  /** Whether this caller's call counts against the usual limit all the same. */
  hasUsualLimit?: (actor: Actor) => Promise<boolean>;
  /** Only calls that succeed count against that limit. */
  countsOnlySuccesses?: true;
  /** A further limit that this call counts against, by its query. */
  alsoLimit?: (query: URLSearchParams) => Promise<LimitName | undefined>;
  /** `public_id` names another agent, and not the caller. */
  namesAnother?: true;
  input: I;
  /**
   * The input as it is published, where `input` is wider: it also accepts fields that this endpoint ignores, or leaves out as
   * optional what is answered 403 when it is missing. See `publishedInput`.
   */
  published?: ZodObject<ZodRawShape>;
  /** The answer without `ok`. */
  output: O;
  /** The answer is a document of its own: `output` is the whole of it, and `ok` is not added. */
  isDocument?: true;
  status: 200 | 201 | 202;
  /** Other success statuses that `run` may choose by a `Reply`. */
  otherStatus?: 200 | 201;
  /** Takes the `Idempotency-Key` header and requires it. */
  idempotencyKey?: boolean;
  /** Carries text written by users: marked `content_trust: "untrusted"`. */
  untrusted?: boolean;
  /** A read that is the same for all visitors: those who ask for it at the same moment share one run (lib/api/share-run.ts). */
  isShared?: true;
  errors: ErrorCode[];
  /** The answer to `Accept: text/event-stream`. The caller must call the function that it returns. */
  stream?(ctx: Context<CallerOf<A>>, input: z.output<I>, lastEventId: string | undefined): Promise<EventStream>;
  run(
    ctx: Context<CallerOf<A>>,
    input: z.output<I>,
  ): Promise<z.input<O> | Reply<z.input<O> | JsonText | JsonText<AsyncIterable<string>> | Bytes>>;
};

/** An endpoint as the registry keeps it, its types erased. */
export type Endpoint = Omit<Definition<Auth, ZodObject<ZodRawShape>, ZodObject<ZodRawShape>>, "run" | "stream"> & {
  scope?: RequiredScope;
  fieldScopes?: Record<string, RequiredScope | undefined>;
  stream?(ctx: Context, input: unknown, lastEventId: string | undefined): Promise<EventStream>;
  run(ctx: Context, input: unknown): Promise<unknown>;
};

/** One object that validates, routes, documents and tests an endpoint. */
export function defineEndpoint<A extends Auth, I extends ZodObject<ZodRawShape>, O extends ZodObject<ZodRawShape>>(
  definition: EndpointDefinition<A, I, O>,
): Endpoint {
  return definition as unknown as Endpoint;
}

/** What a client should send: every field of its own, and as required what an endpoint refuses to do without. */
export function publishedInput({ input, published }: Pick<Endpoint, "input" | "published">): ZodObject<ZodRawShape> {
  return published ?? input;
}

export function isOptional(field: unknown): boolean {
  return (field as z.ZodType).safeParse(undefined).success;
}

/** The names of the fields that must be sent. */
export function requiredFields({ shape }: ZodObject<ZodRawShape>): string[] {
  return Object.keys(shape).filter((name) => !isOptional(shape[name]));
}
