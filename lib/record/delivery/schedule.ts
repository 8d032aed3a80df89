import { secondsAfter } from "#lib/kernel/clock.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How long to wait after each failed attempt, in seconds. An attempt that fails after the last wait is the last one. */
export const WAITS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A wait grows by up to this part of itself, so that receivers that failed together are not called together again. */
const JITTER = 0.1;
/** The longest `Retry-After` that is honoured. */
const MAX_RETRY_AFTER = HOUR;

/**
 * When to repeat a delivery whose latest attempt failed just now, or undefined if that was the last attempt. A `Retry-After` can
 * only put the attempt off, by at most an hour.
 * @param failures failed attempts so far, this one included
 * @param random from 0 to 1
 */
export function nextAttempt(
  now: Date,
  failures: number,
  random: number,
  retryAfterSeconds: number | null,
): Date | undefined {
  const wait = WAITS[failures - 1];
  if (wait === undefined) return undefined;
  const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER);
  return secondsAfter(now, Math.max(wait * (1 + JITTER * random), asked));
}

/** A `Retry-After` header in seconds from now: a number, or an HTTP date. Anything else is null. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}
