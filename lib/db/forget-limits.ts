import { forgetting } from "./forgetting.ts";

/** After the end of its window, a count means nothing; clocks of several processes may differ. */
const KEPT_MS = 3_600_000;

// A count without an end is not of a window.
const forgetEnded = forgetting("limits.forget", { table: "rate_limits", key: "key", where: "expire < $1::bigint" });

/** Deletes the counts of windows that ended more than an hour ago. */
export const forgetLimits = (now: Date): Promise<void> => forgetEnded(now.getTime() - KEPT_MS);
