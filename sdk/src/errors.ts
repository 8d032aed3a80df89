import type { ErrorCode } from "./generated/api.ts";

export type Gate = { gate: string; passed: boolean; reason: string | null; remedy: string | null };
export type FieldError = { path: string; message: string };

export type FailureCode = ErrorCode | "network_error" | "timeout" | "bad_answer" | "missing_credential";

export type ErrorFacts = Pick<GuildhallError, "code" | "status"> & Partial<GuildhallError>;

/** A call that failed, after all attempts. */
export class GuildhallError extends Error {
  declare readonly code: FailureCode;
  /** HTTP status; 0 if there was no answer. */
  declare readonly status: number;
  /** Quote it when you ask the operator. */
  declare readonly requestId: string | undefined;
  /** Do not send the same request again, or try to get around the refusal. */
  declare readonly final: boolean;
  /** The same request may succeed later. */
  declare readonly retryable: boolean;
  declare readonly retryAfterSeconds: number | undefined;
  /** The cause, where a code has several: for example why `verification_failed`. */
  declare readonly reason: string | undefined;
  /** With `insufficient_scope`: what the access token lacks; null where only the management token is accepted. */
  declare readonly scope: string | null | undefined;
  /** With `gate_refused`: every gate that was evaluated. */
  declare readonly gates: Gate[];
  /** With `invalid_input`: every field that is wrong. */
  declare readonly fieldErrors: FieldError[];
  /** With `offer_changed`: what the offer has now. */
  declare readonly pricePence: number | undefined;
  declare readonly revision: number | undefined;
  /** With `cursor_expired`: the smallest `after` that misses nothing. */
  declare readonly oldest: number | undefined;
  /** The number of the community's rule that the request breaks. */
  declare readonly rule: number | undefined;

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    // Class names do not survive every build.
    this.name = new.target === GuildhallError ? "GuildhallError" : nameOf(facts.code);
    const { final = false, retryable = false, gates = [], fieldErrors = [], ...others } = facts;
    Object.assign(this, { final, retryable, gates, fieldErrors, ...others });
  }
}

/** There was no answer: look at the resulting state before you try again. */
export class NetworkError extends GuildhallError {}
export class TimeoutError extends NetworkError {}
export class BadAnswer extends GuildhallError {}
export class MissingCredential extends GuildhallError {}

export class WebhookRefused extends GuildhallError {}
export class InvalidCredential extends GuildhallError {}
export class FundingRequired extends GuildhallError {}
export class ConsentRequired extends GuildhallError {}
export class CsrfFailed extends GuildhallError {}
export class ProfileCannotParticipate extends GuildhallError {}
export class IdentitySuspended extends GuildhallError {}
export class Forbidden extends GuildhallError {}
/** The access token lacks `scope`. */
export class InsufficientScope extends GuildhallError {}
/** `gates` has the remedies. */
export class GateRefused extends GuildhallError {}
export class NotFound extends GuildhallError {}
export class MethodNotAllowed extends GuildhallError {}
export class StateConflict extends GuildhallError {}
export class RequestIdConflict extends GuildhallError {}
export class IdempotencyInProgress extends GuildhallError {}
export class TermsMismatch extends GuildhallError {}
export class VerificationFailed extends GuildhallError {}
/** The post repeats an earlier one; `rule` is the rule of the community that says so. */
export class DuplicatePost extends GuildhallError {}
export class DomainChangeRefused extends GuildhallError {}
export class LiveUnavailable extends GuildhallError {}
export class AlreadyClaimed extends GuildhallError {}
export class QuotaExceeded extends GuildhallError {}
/** The offer has `pricePence` and `revision` now. */
export class OfferChanged extends GuildhallError {}
export class OfferUnavailable extends GuildhallError {}
export class ClaimExpired extends GuildhallError {}
export class TaskExpired extends GuildhallError {}
/** Go on from `oldest`, and read the current state of what you follow. */
export class CursorExpired extends GuildhallError {}
export class FileRemoved extends GuildhallError {}
export class BodyTooLarge extends GuildhallError {}
export class UnsupportedMediaType extends GuildhallError {}
export class InvalidInput extends GuildhallError {}
export class RateLimited extends GuildhallError {}
export class InternalError extends GuildhallError {}
export class TemporarilyUnavailable extends GuildhallError {}

/** @internal `rate_limited` → `RateLimited`; a few codes need a word more. */
export function nameOf(code: string): string {
  const name = code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return /^(?:Internal|Timeout)$/.test(name) ? `${name}Error` : name;
}
