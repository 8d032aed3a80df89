import { ProcessorError } from "../port.ts";

// How every call of Stripe is made: its key, its times, and what its failures mean.

type Thrown = { type?: string; code?: string; statusCode?: number; message?: string };

/** Codes of a conflict that passes: another request is being processed. */
const IN_PROGRESS: ReadonlySet<string> = new Set(["idempotency_key_in_use", "lock_timeout"]);

/** Codes of a 403 that is about the account in the request, not about our key. */
const ABOUT_ACCOUNT: ReadonlySet<string> = new Set(["account_invalid"]);

/**
 * The stripe package's error in the port's terms. Only its type, code and message are kept. The code is read before the status,
 * because version 2 answers a key used for another request with 409 as well.
 */
export function toProcessorError(thrown: unknown): ProcessorError {
  if (thrown instanceof ProcessorError) return thrown;
  const { type = "", code, statusCode, message = "" } = thrown as Thrown;
  const name = code ?? type.replace(/^Stripe/, "") ?? "error";
  if (IN_PROGRESS.has(name)) return new ProcessorError("busy", name, message);
  // The key was used for another request before, which may have had an effect.
  if (type === "StripeIdempotencyError" || code === "idempotency_error")
    return new ProcessorError("unknown", name, message, true);
  if (statusCode === 429 || statusCode === 409) return new ProcessorError("busy", name, message);
  if (statusCode === 401 || (statusCode === 403 && !ABOUT_ACCOUNT.has(name)))
    return new ProcessorError("misconfigured", name, message);
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ProcessorError("refused", name, message);
  if (statusCode && statusCode >= 500) return new ProcessorError("unknown", name, message, true);
  if (type.startsWith("Stripe")) return new ProcessorError("unknown", name, message);
  throw thrown;
}

/** Waits for a call. @throws ProcessorError */
export async function send<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (thrown) {
    throw toProcessorError(thrown);
  }
}

/**
 * Waits for a call that reads one object. Undefined if there is no such object, or no longer for us: an account can be taken away
 * from its platform.
 * @throws ProcessorError
 */
export async function find<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (thrown) {
    const { statusCode, code } = thrown as Thrown;
    if (statusCode === 404 || code === "account_invalid") return undefined;
    throw toProcessorError(thrown);
  }
}

/** The idempotency key of an attempt: the ID of its row, so that repeating the attempt repeats the key. */
export const keyOf = (id: string, attempt: number) => (attempt === 1 ? id : `${id}-${attempt}`);

/** Stripe's clock and ours may differ. */
const CLOCK_SLACK_SECONDS = 300;

export const since = (date: Date) => ({ gte: Math.floor(date.getTime() / 1000) - CLOCK_SLACK_SECONDS });
