import { env } from "#lib/kernel/env.ts";
import { LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { integer } from "./columns.ts";
import { policyOf, RateLimited, scaledPoints, stateOf } from "./rate-limit.ts";
import { statement } from "./statement.ts";

// A limit that never closes completely: once its points are used up, calls are admitted one at a time, with growing pauses
// between them. It uses the table of the strict limits, whose expired rows are removed hourly: `points` counts admitted calls,
// and `expire` is one window after the last of them.

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * When the next call is due, in ms since 1970: $2 is the number of points, $3 now, $4 the window in ms. Until the points are
 * used up it is due at once, even if this process's clock is behind that of the process that counted last.
 */
const DUE = `CASE WHEN r.points < $2::int OR r.expire <= $3::bigint THEN $3::bigint
  ELSE r.expire - $4::bigint + least(${LONGEST_PAUSE_MS}, ${FIRST_PAUSE_MS} * 2 ^ least(r.points - $2::int, 10))::bigint END`;

const read = statement(
  "rate_limits.spacing",
  { waitMs: integer },
  `SELECT (${DUE} - $3::bigint)::int AS "waitMs" FROM rate_limits r WHERE key = $1`,
);

const take = statement(
  "rate_limits.take_spaced",
  { points: integer },
  `INSERT INTO rate_limits AS r (key, points, expire) VALUES ($1, 1, $3::bigint + $4::bigint)
   ON CONFLICT (key) DO UPDATE
   SET points = CASE WHEN r.expire <= $3::bigint THEN 1 ELSE r.points + 1 END,
     expire = greatest(r.expire, excluded.expire)
   WHERE ${DUE} <= $3::bigint
   RETURNING points`,
);

const giveBack = statement(
  "rate_limits.untake_spaced",
  {},
  "UPDATE rate_limits SET points = points - 1 WHERE key = $1 AND points > 0",
);

const keyOf = (name: LimitName, key: string) => `${name}:${key}`;

/**
 * Refuses a call that comes too early. It only reads, so that a flood of refused calls writes nothing.
 * @param message returns the refusal's message for a number of seconds
 * @throws ApiError rate_limited
 */
export async function requireSpacing(
  name: LimitName,
  key: string,
  now: Date,
  message: (seconds: number) => string,
): Promise<void> {
  if (env().rateLimitScale === 0) return;
  const [row] = await read(keyOf(name, key), scaledPoints(name), now.getTime(), LIMITS[name].seconds * 1000);
  if (row && row.waitMs > 0) throw refusal(name, row.waitMs, message);
}

/**
 * Admits and counts a call. Of many simultaneous calls, even in several processes, only those that are due are admitted.
 * @returns how many the window holds with this one; 0 where limits are off
 * @throws ApiError rate_limited
 */
export async function takeSpaced(
  name: LimitName,
  key: string,
  now: Date,
  message: (seconds: number) => string,
): Promise<number> {
  if (env().rateLimitScale === 0) return 0;
  const [taken] = await take(keyOf(name, key), scaledPoints(name), now.getTime(), LIMITS[name].seconds * 1000);
  if (taken) return taken.points;
  await requireSpacing(name, key, now, message);
  // The pause ended between the two statements; the next attempt will be admitted.
  throw refusal(name, 1, message);
}

/** Uncounts a call, for limits that count only failures. */
export async function uncountSpaced(name: LimitName, key: string): Promise<void> {
  if (env().rateLimitScale > 0) await giveBack(keyOf(name, key));
}

function refusal(name: LimitName, waitMs: number, message: (seconds: number) => string): RateLimited {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const headers = { "RateLimit-Policy": policyOf(name), RateLimit: stateOf(name, 0, seconds) };
  return new RateLimited(name, seconds, headers, message(seconds));
}
