import type { Reads, Writes } from "./guildhall-shapes.ts";

export type * from "./guildhall-shapes.ts";

/*
 * A small client for Guildhall, API version 1.0.0. It needs `fetch` and nothing else: copy this file and the shapes
 * beside it.
 */

type ErrorFields = {
  /** The API's error code; `no_answer` if there was no answer (the outcome is unknown), `bad_answer` if it was not JSON. */
  code: string;
  /** HTTP status; 0 if there was no answer. */
  status: number;
  retryable: boolean;
  retryAfterSeconds?: number;
  requestId?: string;
  /** Why `verification_failed`. */
  reason?: string;
  /** What to fix after `gate_refused`. */
  gates?: { gate: string; passed: boolean; reason: string | null; remedy: string | null }[];
};

/** A call that failed, after all attempts. */
export class GuildhallError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;
  readonly reason: string | undefined;
  readonly gates: NonNullable<ErrorFields["gates"]>;
  constructor(message: string, fields: ErrorFields) {
    super(message);
    this.name = "GuildhallError";
    this.code = fields.code;
    this.status = fields.status;
    this.retryable = fields.retryable;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.requestId = fields.requestId;
    this.reason = fields.reason;
    this.gates = fields.gates ?? [];
  }
}

type Query = Record<string, string | number | undefined>;
type PostOptions = {
  /** Sent as `Idempotency-Key`, the same with every attempt. */
  idempotencyKey?: string;
  /** Sending it twice does no harm, so it may be sent again if the outcome of the first attempt is unknown. */
  repeatable?: boolean;
};

export type Client = {
  get<Path extends keyof Reads>(path: Path, query?: Query): Promise<Reads[Path]>;
  post<Path extends keyof Writes>(path: Path, body?: object, options?: PostOptions): Promise<Writes[Path]>;
};

export type ClientOptions = {
  /** Origin of the service, such as https://guildhall.example. */
  baseUrl: string;
  /** The identity and its management token. Without them only public calls succeed. */
  credential?: { publicId: string; token: string };
  /** Attempts per call, the first included. Default 5. */
  attempts?: number;
  fetch?: typeof fetch;
  sleep?: (seconds: number) => Promise<unknown>;
  random?: () => number;
};

const TIMEOUT_MS = 30_000;
const LONGEST_WAIT_SECONDS = 120;

/**
 * A client that waits and retries where that is safe. A refusal with Retry-After (429, or 409 while a first request with the same
 * key is running) had no effect, so every call is retried after it. After 503, or without an answer, the outcome is
 * unknown: only reads, writes with an idempotency key or client_request_id, and those called repeatable are sent again, as
 * they were. For other writes look at the resulting state before trying again.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, credential, attempts = 5, random = Math.random } = options;
  const { sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000)) } = options;
  const call = options.fetch ?? fetch;

  async function send<Answer>(method: string, url: URL, init: RequestInit, repeatable: boolean): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await exchange<Answer>(call, method, url, init, credential?.token);
      } catch (error) {
        if (!(error instanceof GuildhallError) || attempt >= attempts || !mayRepeat(error, repeatable)) throw error;
        await sleep(pauseSeconds(attempt, error.retryAfterSeconds, random()));
      }
    }
  }

  return {
    get(path, query = {}) {
      const url = new URL(`/api/v1/${path}`, baseUrl);
      const all: Query = credential ? { public_id: credential.publicId, ...query } : query;
      for (const [name, value] of Object.entries(all))
        if (value !== undefined) url.searchParams.set(name, String(value));
      return send("GET", url, {}, true);
    },
    post(path, body = {}, { idempotencyKey, repeatable } = {}) {
      const headers: Record<string, string> = { "Content-Type": "application/json" };
      if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
      const all = credential ? { public_id: credential.publicId, ...body } : body;
      // Serialised once: every attempt sends the same bytes.
      const init = { headers, body: JSON.stringify(all) };
      const isKeyed = idempotencyKey !== undefined || "client_request_id" in body;
      return send("POST", new URL(`/api/v1/${path}`, baseUrl), init, isKeyed || repeatable === true);
    },
  };
}

async function exchange<Answer>(
  call: typeof fetch,
  method: string,
  url: URL,
  init: RequestInit,
  token: string | undefined,
): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  let response: Response;
  let text: string;
  try {
    // Redirects are not followed: the token is for this service only.
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await call(url, { ...init, method, headers, redirect: "error", signal });
    text = await response.text();
  } catch (error) {
    const message = `${method} ${url.pathname}: no answer (${reasonOf(error)}).`;
    throw new GuildhallError(message, { code: "no_answer", status: 0, retryable: true });
  }
  const body = parse(text);
  if (response.ok && body?.ok === true) return body as Answer;
  throw refusal(`${method} ${url.pathname}`, response, body);
}

type Body = { ok?: boolean; request_id?: string; error?: ErrorFields & { message: string } };

function refusal(call: string, response: Response, body: Body | undefined): GuildhallError {
  const { status } = response;
  const requestId = body?.request_id ?? response.headers.get("x-request-id") ?? undefined;
  const seconds = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  const retryAfterSeconds = Number.isNaN(seconds) ? undefined : seconds;
  const { code = "bad_answer", message = "The answer does not come from this API.", ...error } = body?.error ?? {};
  const { retryable = status >= 502, reason, gates } = error as Partial<ErrorFields>;
  const fields = { code, status, retryable, retryAfterSeconds, requestId, reason, gates };
  return new GuildhallError(`${call}: ${status} ${code}: ${message}`, fields);
}

function mayRepeat({ status, retryable, retryAfterSeconds }: GuildhallError, repeatable: boolean): boolean {
  if ((retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return false;
  if (status === 0 || status >= 500) return retryable && repeatable;
  return retryable && retryAfterSeconds !== undefined;
}

/** Exponential back-off with full jitter, so that clients that failed together do not retry together; never before Retry-After. */
export function pauseSeconds(attempt: number, retryAfterSeconds = 0, random = Math.random()): number {
  return retryAfterSeconds + random * Math.min(30, 0.5 * 2 ** attempt);
}

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name ?? String(error);
}

export function pounds(pence: number): string {
  return `£${(pence / 100).toFixed(2)}`;
}
