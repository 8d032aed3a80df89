import { ApiError } from "#lib/kernel/errors.ts";
import { log } from "#lib/kernel/log.ts";
import { ProcessorError } from "./port.ts";

/** What a caller hears when the processor did not do what it was asked for; its own words stay in the log. */
export function toCallerError(thrown: unknown): unknown {
  if (!(thrown instanceof ProcessorError)) return thrown;
  log().warn({ kind: thrown.kind, code: thrown.code, err: thrown.message }, "the card processor did not do as asked");
  if (thrown.kind === "refused")
    return new ApiError(
      "live_unavailable",
      "The card processor refused this. The operator of this service is told why.",
    );
  return new ApiError(
    "temporarily_unavailable",
    "The card processor does not answer. Send the same request again, with the same Idempotency-Key where it takes one.",
    { retryAfterSeconds: 5 },
  );
}
