import { env } from "#lib/kernel/env.ts";

/** The only mode that this installation has: TEST, or undefined where an order may be in either. */
export const onlyMode = (): "TEST" | undefined => (env().paymentMode === "LIVE" ? undefined : "TEST");
