import { ApiError } from "#lib/kernel/errors.ts";

/** A mode decides its own gateway: LIVE is never played by the simulator, so without a configuration it is refused. */
export function liveUnavailable(): ApiError {
  return new ApiError(
    "live_unavailable",
    "LIVE payments are not configured on this installation. TEST is simulated and moves no money.",
  );
}
