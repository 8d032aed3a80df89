import { ApiError } from "#lib/kernel/errors.ts";
import { log } from "#lib/kernel/log.ts";
import { ProcessorError } from "./port.ts";

/** The error for a caller when the card processor failed. The processor's own message is only logged. */
export function toCallerError(thrown: unknown): unknown {
  if (!(thrown instanceof ProcessorError)) return thrown;
  log().warn({ kind: thrown.kind, code: thrown.code, err: thrown.message }, "the card processor failed");
  if (thrown.kind === "refused")
    return new ApiError(
      "live_unavailable",
      "The card processor refused this request. The operator of this service can see the reason.",
    );
  if (thrown.kind === "misconfigured")
    return new ApiError(
      "temporarily_unavailable",
      "The card processor does not accept this service's key. The service's operator can see the problem. Nothing is lost: send the same request again later, with the same Idempotency-Key if it takes one.",
      { retryAfterSeconds: 60 },
    );
  return new ApiError(
    "temporarily_unavailable",
    "The card processor is not answering. Send the same request again, with the same Idempotency-Key if it takes one.",
    { retryAfterSeconds: 5 },
  );
}
