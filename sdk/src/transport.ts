import { type AnswerBody, errorOf } from "./error-of.ts";
import { BadAnswer, GuildhallError, NetworkError, TimeoutError } from "./errors.ts";

/** Attempts of one call, the first included. */
const ATTEMPTS = 4;
const TIMEOUT_MS = 30_000;
/** A service that asks for a longer wait than this gets no further attempt. */
const LONGEST_WAIT_SECONDS = 120;

export type TransportOptions = {
  /** Milliseconds that one attempt may take. Default 30,000. */
  timeoutMs?: number;
  /** Ends every call of the client. */
  signal?: AbortSignal | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** @internal Replaces the waits between attempts, for tests. */
  sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
};

/** @internal One request, serialised once: every attempt sends the same bytes. */
export type Sent = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Record<string, string>;
  body?: string | Blob;
  /** May be sent again when the outcome of an attempt is unknown. */
  repeatable: boolean;
  /**
   * Finds out what became of a call whose outcome is unknown. @returns its answer, or undefined if it had no effect and can be
   * sent again
   */
  lookUp?: () => Promise<object | undefined>;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
};

/** @internal */
export class Transport {
  readonly #options: TransportOptions;
  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * Sends a call, and again where that is safe. After 429, 503 and `idempotency_in_progress` every call is repeated. Without an
   * answer the outcome is unknown: only repeatable calls, and those whose effect can be looked up, are sent again. Never after
   * a final refusal.
   * @returns the answer without `ok`
   * @throws GuildhallError, or the reason of an aborted signal
   */
  async call(sent: Sent): Promise<object> {
    let isUnknown = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#exchange(sent);
      } catch (error) {
        if (!(error instanceof GuildhallError)) throw error;
        const lost = isLost(error);
        // What an earlier attempt without an answer has done is no conflict.
        if (sent.lookUp && (lost || (isUnknown && error.code === "state_conflict"))) {
          const done = await sent.lookUp().catch(() => {
            throw error;
          });
          if (done) return done;
          if (!lost) throw error;
        }
        isUnknown ||= lost;
        const wait = pauseMs(attempt, error.retryAfterSeconds);
        if (attempt >= ATTEMPTS || wait === undefined || !mayRepeat(error, sent)) throw error;
        await this.#sleep(wait, sent.signal);
      }
    }
  }

  /** Sends a request once and hands over the response as it is. @throws NetworkError, TimeoutError */
  async open(sent: Sent, deadline: AbortSignal | undefined): Promise<Response> {
    const { method, url, headers, body } = sent;
    const signals = [this.#options.signal, sent.signal, deadline].filter((each) => each !== undefined);
    const call = this.#options.fetch ?? fetch;
    try {
      // Redirects are not followed: the credential is for this service only.
      return await call(url, { method, headers, body, redirect: "error", signal: AbortSignal.any(signals) });
    } catch (error) {
      throw this.#failure(`${method} ${url.pathname}`, error, sent, deadline);
    }
  }

  async #exchange(sent: Sent): Promise<object> {
    const { method, url } = sent;
    const deadline = AbortSignal.timeout(sent.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS);
    const response = await this.open(sent, deadline);
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw this.#failure(`${method} ${url.pathname}`, error, sent, deadline);
    }
    return readAnswer(`${method} ${url.pathname}`, response, text);
  }

  /** What a failed fetch means. @throws the reason of a signal that the caller aborted */
  #failure(call: string, error: unknown, sent: Sent, deadline: AbortSignal | undefined): NetworkError {
    for (const signal of [sent.signal, this.#options.signal]) signal?.throwIfAborted();
    const options = { cause: error };
    if (deadline?.aborted) {
      return new TimeoutError(`${call}: no answer in time.`, { code: "timeout", status: 0, retryable: true }, options);
    }
    const message = `${call}: no answer (${causeOf(error)}).`;
    return new NetworkError(message, { code: "network_error", status: 0, retryable: true }, options);
  }

  async #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const sleep = this.#options.sleep ?? wait;
    const signals = [this.#options.signal, signal].filter((each) => each !== undefined);
    await sleep(milliseconds, signals.length > 0 ? AbortSignal.any(signals) : undefined);
  }

  /** Waits before another attempt: longer after each. @throws the reason of an aborted signal */
  pause(attempt: number, retryAfterSeconds: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    return this.#sleep(pauseMs(attempt, retryAfterSeconds) ?? LONGEST_WAIT_SECONDS * 1_000, signal);
  }
}

/** @internal The answer without `ok`. @throws GuildhallError if it is not a success */
export function readAnswer(call: string, response: Response, text: string): object {
  const body = parse(text);
  if (!response.ok || body === undefined) throw errorOf(call, response, body);
  // The OpenAPI document is an answer without `ok`.
  const { ok, ...answer } = body;
  if (ok === false) throw errorOf(call, response, body);
  return answer;
}

function parse(text: string): AnswerBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as AnswerBody) : undefined;
  } catch {
    return undefined;
  }
}

/** Nobody knows whether the call had an effect: no answer came, or a proxy's in place of the service's. */
function isLost(error: GuildhallError): boolean {
  return error instanceof NetworkError || (error instanceof BadAnswer && error.retryable);
}

function mayRepeat(error: GuildhallError, { repeatable, lookUp }: Sent): boolean {
  if (error.final) return false;
  if (isLost(error)) return repeatable || lookUp !== undefined;
  return error.status === 429 || error.status === 503 || error.code === "idempotency_in_progress";
}

/**
 * @internal Exponential back-off with full jitter, so that clients that failed together do not return together; never before Retry-After.
 * @returns milliseconds; undefined if the service asks for more than two minutes
 */
export function pauseMs(attempt: number, retryAfterSeconds = 0, random = Math.random()): number | undefined {
  if (retryAfterSeconds > LONGEST_WAIT_SECONDS) return undefined;
  return retryAfterSeconds * 1_000 + random * Math.min(8_000, 250 * 2 ** attempt);
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function causeOf(error: unknown): string {
  const { name, message, cause } = error as { name?: string; message?: string; cause?: { code?: string } };
  return cause?.code ?? message ?? name ?? String(error);
}
