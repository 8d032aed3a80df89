import { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "#lib/kernel/env.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { LIMIT_WORDS, LIMITS, type LimitName, PER_WORDS } from "#lib/kernel/limits.ts";
import { countRefusal } from "#lib/kernel/metrics.ts";
import { isPooled, pool } from "./client.ts";
import { WindowCounts } from "./window-counts.ts";

export type LimitHeaders = { "RateLimit-Policy"?: string; RateLimit?: string };

const shared = globalThis as { guildhallLimiters?: Map<LimitName, RateLimiterAbstract>; guildhallRedis?: Redis };

/** Calls allowed in one window at the configured scale; 0 when limits are off. */
export function scaledPoints(name: LimitName): number {
  const scale = env().rateLimitScale;
  return scale === 0 ? 0 : Math.max(1, Math.floor(LIMITS[name].points * scale));
}

function limiter(name: LimitName): RateLimiterAbstract {
  shared.guildhallLimiters ??= new Map();
  let found = shared.guildhallLimiters.get(name);
  if (!found) {
    const { seconds, strict } = LIMITS[name];
    const options = { points: scaledPoints(name), duration: seconds, keyPrefix: name };
    const memory = new WindowCounts(options);
    if (strict) {
      found = new RateLimiterPostgres({
        ...options,
        storeClient: isPooled() ? UNNAMED : pool(),
        storeType: "pool",
        tableName: "rate_limits",
        tableCreated: true,
        // forget-limits.ts does it in batches.
        clearExpiredByTimeout: false,
      });
    } else if (env().redisUrl) {
      // If Redis is unreachable, each process counts on its own until it is back.
      found = new RateLimiterRedis({
        ...options,
        storeClient: redis(env().redisUrl as string),
        insuranceLimiter: memory,
      });
    } else found = memory;
    shared.guildhallLimiters.set(name, found);
  }
  return found;
}

/** The limiter names its statements, and a transaction pooler must not be left with one. */
const UNNAMED = {
  query: ({ text, values }: { text: string; values: unknown[] }) => pool().query(text, values),
};

function redis(url: string): Redis {
  shared.guildhallRedis ??= new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  shared.guildhallRedis.on("error", () => {});
  return shared.guildhallRedis;
}

/**
 * Counts one call against each limit.
 * @returns the headers with the caller's limit and what is left of it
 * @throws ApiError rate_limited, with the seconds after which the call is admitted, and the headers in `details`
 */
export async function countCall(names: LimitName[], keyOf: (name: LimitName) => string): Promise<LimitHeaders> {
  if (env().rateLimitScale === 0) return {};
  const results: RateLimiterRes[] = [];
  for (const name of names) {
    const result = await limiter(name)
      .consume(keyOf(name))
      .catch((reason: unknown) => {
        if (reason instanceof RateLimiterRes) return reason;
        throw reason;
      });
    results.push(result);
  }
  const { headers, refusal } = judge(names, results);
  if (refusal) throw refusal;
  return headers;
}

/** The caller's limit headers, and its refusal if it has exceeded a limit. */
function judge(names: LimitName[], results: RateLimiterRes[]): { headers: LimitHeaders; refusal?: RateLimited } {
  let refused: RateLimiterRes | undefined;
  let by: LimitName | undefined;
  const states = results.map((result, index) => {
    const name = names[index] as LimitName;
    if (result.consumedPoints > scaledPoints(name) && (!refused || result.msBeforeNext > refused.msBeforeNext)) {
      refused = result;
      by = name;
    }
    return stateOf(name, result.remainingPoints, seconds(result));
  });
  if (by) countRefusal(by);
  const headers = { "RateLimit-Policy": names.map(policyOf).join(", "), RateLimit: states.join(", ") };
  return refused && by ? { headers, refusal: new RateLimited(by, seconds(refused), headers) } : { headers };
}

/**
 * Counts one call as cheaply as possible, against limits that only appear in refusals: in memory it needs no promise and no
 * headers.
 * @returns the refusal; undefined when the call is admitted
 */
export function refusalFor(
  names: LimitName[],
  key: string,
): RateLimited | undefined | Promise<RateLimited | undefined> {
  if (env().rateLimitScale === 0) return undefined;
  const counts = names.map(limiter);
  if (!counts.every((each) => each instanceof WindowCounts))
    return countCall(names, () => key).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof RateLimited) return error;
        throw error;
      },
    );
  const results = counts.map((each) => each.count(key, 1));
  return results.some(({ consumedPoints }, index) => consumedPoints > (counts[index]?.points ?? 0))
    ? judge(names, results).refusal
    : undefined;
}

/**
 * Measures a limit that counts what was made, instead of calls.
 * @param made when the latest ones were made, newest first, at least as many as the limit allows
 * @returns the headers for the caller, counting one more call
 * @throws ApiError rate_limited, with the seconds after which one more is admitted, and the headers in `details`
 */
export function requireAllowance(name: LimitName, made: Date[], now: Date): LimitHeaders {
  const points = scaledPoints(name);
  if (points === 0) return {};
  const secondsLeft = (time: Date) => (time.getTime() - now.getTime()) / 1000 + LIMITS[name].seconds;
  const counted = made.filter((time) => secondsLeft(time) > 0);
  const leaving = (time: Date) => Math.max(1, Math.ceil(secondsLeft(time)));
  const headers = {
    "RateLimit-Policy": policyOf(name),
    RateLimit: stateOf(name, points - counted.length - 1, leaving(counted.at(-1) ?? now)),
  };
  const blocking = counted[points - 1];
  if (blocking) {
    countRefusal(name);
    throw new RateLimited(name, leaving(blocking), headers);
  }
  return headers;
}

export function policyOf(name: LimitName): string {
  return `"${name}";q=${scaledPoints(name)};w=${LIMITS[name].seconds}`;
}

export function stateOf(name: LimitName, remaining: number, resetSeconds: number): string {
  return `"${name}";r=${Math.max(0, remaining)};t=${resetSeconds}`;
}

/** Refuses a call beyond the limit without counting it, so that a flood writes no rows. @throws ApiError rate_limited */
export async function requireRoom(name: LimitName, key: string): Promise<void> {
  const points = scaledPoints(name);
  const state = points > 0 ? await limiter(name).get(key) : null;
  if (!state || state.consumedPoints < points) return;
  const headers = { "RateLimit-Policy": policyOf(name), RateLimit: stateOf(name, 0, seconds(state)) };
  countRefusal(name);
  throw new RateLimited(name, seconds(state), headers);
}

/** Reverts one counted call, for limits that count only some outcomes, such as failed sign-ins. */
export async function uncount(name: LimitName, key: string): Promise<void> {
  if (env().rateLimitScale > 0) await limiter(name).reward(key);
}

export class RateLimited extends ApiError {
  readonly limit: LimitName;
  readonly headers: LimitHeaders;
  constructor(
    limit: LimitName,
    retryAfterSeconds: number,
    headers: LimitHeaders,
    message = `Too many calls: try again in ${retryAfterSeconds} s. ${inWords(limit)}`,
  ) {
    super("rate_limited", message, { retryAfterSeconds, ...(limit === "post_shared" && { rule: 3 }) });
    this.limit = limit;
    this.headers = headers;
  }
}

/** The limit in words: which calls, how many, in how long, counted by what. */
function inWords(name: LimitName): string {
  const { seconds, per } = LIMITS[name];
  return `The limit ${name} (${LIMIT_WORDS[name]}) is ${scaledPoints(name)} in ${seconds} s per ${PER_WORDS[per]}.`;
}

function seconds(result: RateLimiterRes): number {
  return Math.max(1, Math.ceil(result.msBeforeNext / 1000));
}

/** Forgets all counters and closes the Redis connection, if there is one. For tests that change the configuration. */
export async function closeLimiters(): Promise<void> {
  shared.guildhallRedis?.disconnect();
  shared.guildhallRedis = undefined;
  shared.guildhallLimiters = undefined;
}
