import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/**
 * Keys that one limit remembers. Beyond that, the oldest windows are forgotten: a client with that many addresses gains nothing
 * from it.
 */
const MOST_KEYS = 50_000;

type Window = { consumed: number; endsAt: number };

/**
 * Counts in this process: a window begins with a key's first call. The library's own memory store keeps a timer per key and an
 * unlimited number of keys; this one has no timers, a bounded number of keys, and also answers synchronously.
 */
export class WindowCounts extends RateLimiterMemory {
  /** In the order in which their windows began, which is also the order in which they end. */
  readonly #windows = new Map<string, Window>();

  override async consume(key: string | number, points = 1): Promise<RateLimiterRes> {
    const result = this.count(String(key), points);
    if (result.consumedPoints > this.points) throw result;
    return result;
  }

  override async reward(key: string | number, points = 1): Promise<RateLimiterRes> {
    return this.count(String(key), -points);
  }

  override async get(key: string | number): Promise<RateLimiterRes | null> {
    const endsAt = this.#windows.get(String(key))?.endsAt ?? 0;
    return endsAt > Date.now() ? this.count(String(key), 0) : null;
  }

  /** Adds to a key's count, whatever the limit says. */
  count(key: string, points: number): RateLimiterRes {
    const now = Date.now();
    let window = this.#windows.get(key);
    if (!window || window.endsAt <= now) {
      this.#windows.delete(key);
      this.#makeRoom(now);
      window = { consumed: 0, endsAt: now + this.msDuration };
      this.#windows.set(key, window);
    }
    window.consumed += points;
    const remaining = Math.max(0, this.points - window.consumed);
    return new RateLimiterRes(remaining, window.endsAt - now, window.consumed, window.consumed === points);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  #makeRoom(now: number): void {
    // A few at a time: each new window removes more expired ones than it adds, so they never pile up.
    let steps = 4;
    for (const [key, { endsAt }] of this.#windows) {
      if (steps === 0 || (endsAt > now && this.#windows.size < MOST_KEYS)) return;
      this.#windows.delete(key);
      steps -= 1;
    }
  }
}
