import type { Scope } from "./scopes.ts";

/** Every error code of the interface, its HTTP status, and whether the same request may succeed when sent again. */
export const ERRORS = {
  webhook_refused: { status: 400, retryable: false },
  invalid_credential: { status: 401, retryable: false },
  funding_required: { status: 402, retryable: false },
  consent_required: { status: 403, retryable: false },
  csrf_failed: { status: 403, retryable: false },
  profile_cannot_participate: { status: 403, retryable: false },
  identity_suspended: { status: 403, retryable: false },
  forbidden: { status: 403, retryable: false },
  insufficient_scope: { status: 403, retryable: false },
  gate_refused: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  state_conflict: { status: 409, retryable: false },
  request_id_conflict: { status: 409, retryable: false },
  idempotency_in_progress: { status: 409, retryable: true },
  terms_mismatch: { status: 409, retryable: false },
  verification_failed: { status: 409, retryable: true },
  duplicate_post: { status: 409, retryable: false },
  domain_change_refused: { status: 409, retryable: false },
  live_unavailable: { status: 409, retryable: false },
  already_claimed: { status: 409, retryable: false },
  quota_exceeded: { status: 409, retryable: false },
  offer_changed: { status: 409, retryable: false },
  offer_unavailable: { status: 409, retryable: false },
  claim_expired: { status: 410, retryable: false },
  task_expired: { status: 410, retryable: false },
  cursor_expired: { status: 410, retryable: false },
  file_removed: { status: 410, retryable: false },
  body_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  invalid_input: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },
  internal: { status: 500, retryable: false },
  temporarily_unavailable: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof ERRORS;

/** Codes after which the same call is pointless until someone else changes something. */
const FINAL: readonly ErrorCode[] = ["gate_refused", "insufficient_scope"];
export const isFinal = (code: ErrorCode): boolean => FINAL.includes(code);

export type FieldError = { path: string; message: string };
export type GateResult = { gate: string; passed: boolean; reason: string | null; remedy: string | null };

type ErrorDetails = {
  fieldErrors?: FieldError[];
  gates?: GateResult[];
  /** Machine-readable cause, if a code has several: for `verification_failed`, `quota_exceeded`, `request_id_conflict` and some kinds of `forbidden`. */
  reason?: string;
  /** With `state_conflict`, for a step that becomes possible by itself: from when on. */
  notBefore?: Date;
  /** With `offer_changed`: what the offer has now. */
  pricePence?: number;
  revision?: number;
  /** With `cursor_expired`: the smallest position to continue from without missing anything that is kept. */
  oldest?: number;
  /** The number of the community's rule that refused. */
  rule?: number;
  retryAfterSeconds?: number;
  /** With `insufficient_scope`: what the access token lacks; null where only the management token is accepted. */
  scope?: Scope | null;
  allow?: string;
};

/** An error that the caller gets. Its status follows from its code, so that the two cannot disagree. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.details = details;
  }
  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The same error for everything that does not exist and everything that the caller may not know about. */
export function notFound(): ApiError {
  return new ApiError("not_found", "Not found.");
}

/** Ends a sentence, unless it ends in a question. */
export const sentence = (text: string): string => (text.endsWith("?") ? text : `${text}.`);

export function invalidInput(path: string, message: string): ApiError {
  return invalidFields([{ path, message }]);
}

export function invalidFields(fieldErrors: FieldError[]): ApiError {
  const all = fieldErrors.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new ApiError("invalid_input", sentence(all), { fieldErrors });
}

export function stateConflict(message: string): ApiError {
  return new ApiError("state_conflict", message);
}

/** @param gates every gate that was evaluated, at least one of them not passed */
export function gateRefused(gates: GateResult[]): ApiError {
  const reasons = gates.filter(({ passed }) => !passed).map(({ gate, reason }) => `${gate} (${reason})`);
  return new ApiError(
    "gate_refused",
    `Blocked by the ${reasons.length === 1 ? "gate" : "gates"} ${reasons.join(", ")}. This is final: see each gate's remedy.`,
    { gates },
  );
}
