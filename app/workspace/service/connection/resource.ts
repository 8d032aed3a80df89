import { useSyncExternalStore } from "react";
import type { Refusal } from "#components/form/refusal.tsx";
import type { Outcome } from "../../../browser/call.ts";

/** The state of a resource that is polled. Times are in milliseconds by this machine's clock. */
export type Reading<Body> = {
  body: Body | undefined;
  /** Why the last read failed. `body` keeps what was read before. */
  refusal: Refusal | null;
  freshAt: number | null;
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  skew: number;
  pending: boolean;
  nextAt: number | null;
  /** The reader asked for a refresh, which happens as soon as the limits allow it. */
  awaited: boolean;
};

export type Pace = {
  everySeconds: number;
  /** The least time between two reads, manual refreshes included; 1 by default. */
  minSeconds?: number;
};

const MAX_PAUSE_MS = 300_000;
/** What was read within this time is not read again when it is shown again. */
const STALE_MS = 5_000;

/** Milliseconds to wait after this many failures in a row. It doubles each time, with jitter so that tabs don't poll in step. */
export function pauseAfter(failures: number, everySeconds: number, random: number = Math.random()): number {
  const pause = Math.min(MAX_PAUSE_MS, everySeconds * 1000 * 2 ** failures);
  return Math.round(pause * (failures > 0 ? 0.8 + 0.4 * random : 1 + 0.1 * random));
}

/**
 * A resource that is polled while a component watches it: not in a hidden tab, more slowly after failures, and never before the
 * service's `Retry-After`.
 */
export class Resource<Body> {
  #reading: Reading<Body> = {
    body: undefined,
    refusal: null,
    freshAt: null,
    skew: 0,
    pending: false,
    nextAt: null,
    awaited: false,
  };
  readonly #load: () => Promise<Outcome<Body>>;
  readonly #pace: Pace;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = 0;
  #earliestAt = 0;
  #failures = 0;
  #updates = 0;
  /** A refresh was requested during a read, whose answer may be older than a step that was taken meanwhile. */
  #again = false;
  #ended = false;

  constructor(load: () => Promise<Outcome<Body>>, pace: Pace) {
    this.#load = load;
    this.#pace = pace;
  }

  readonly reading = (): Reading<Body> => this.#reading;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      const { freshAt } = this.#reading;
      // A list that is opened again is read again.
      if (freshAt !== null && this.#failures === 0 && Date.now() - freshAt > STALE_MS) this.#dueAt = this.#earliestAt;
      document.addEventListener("visibilitychange", this.#schedule);
      this.#schedule();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      document.removeEventListener("visibilitychange", this.#schedule);
      clearTimeout(this.#timer);
    };
  };

  isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Reads now, or as soon as the limits allow it. */
  readonly refresh = (): void => {
    this.#again = this.#reading.pending;
    this.#dueAt = this.#earliestAt;
    if (this.#earliestAt > Date.now()) this.#change({ awaited: true, nextAt: this.#earliestAt });
    this.#schedule();
  };

  /** Updates the body from another answer. The answer to a read that is pending now is older, and is ignored. */
  readonly update = (next: (body: Body | undefined) => Body | undefined): void => {
    this.#updates += 1;
    this.#change({ body: next(this.#reading.body), freshAt: Date.now(), refusal: null });
  };

  /** Stops reading and drops the body. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#schedule);
    this.#reading = { ...this.#reading, body: undefined };
  }

  #change(part: Partial<Reading<Body>>): void {
    this.#reading = { ...this.#reading, ...part };
    for (const listener of [...this.#listeners]) listener();
  }

  readonly #schedule = (): void => {
    clearTimeout(this.#timer);
    if (this.#ended || this.#reading.pending || document.hidden || this.#listeners.size === 0) return;
    const wait = this.#dueAt - Date.now();
    if (wait <= 0) void this.#read();
    else this.#timer = setTimeout(this.#schedule, wait);
  };

  async #read(): Promise<void> {
    const updates = this.#updates;
    this.#change({ pending: true, nextAt: null, awaited: false });
    const outcome = await this.#load();
    if (!this.#ended) this.accept(outcome, updates !== this.#updates);
  }

  /** Accepts the answer to a read. One that is `outdated` only sets the time of the next read. */
  accept(outcome: Outcome<Body>, outdated = false): void {
    const now = Date.now();
    const { everySeconds, minSeconds = 1 } = this.#pace;
    const retryAfter = outcome.ok ? 0 : (outcome.refusal.retryAfterSeconds ?? 0) * 1000;
    this.#failures = outcome.ok ? 0 : this.#failures + 1;
    this.#earliestAt = now + Math.max(minSeconds * 1000, retryAfter);
    this.#dueAt = this.#again
      ? this.#earliestAt
      : Math.max(this.#earliestAt, now + pauseAfter(this.#failures, everySeconds));
    this.#again = false;
    const timing: Partial<Reading<Body>> = { pending: false, nextAt: this.#dueAt };
    if (!outcome.ok) this.#change({ ...timing, refusal: outcome.refusal });
    else if (outdated) this.#change(timing);
    else {
      const skew = Number.isFinite(outcome.serverTime) ? Number(outcome.serverTime) - now : 0;
      this.#change({ ...timing, body: outcome.body, refusal: null, freshAt: now, skew });
    }
    this.#schedule();
  }
}

const unwatched = () => () => undefined;

/** The resource's current state, polled while the component is mounted and `isWatched`. */
export function useReading<Body>(
  resource: Resource<Body>,
  isWatched = true,
): Reading<Body> & Pick<Resource<Body>, "refresh" | "update"> {
  const reading = useSyncExternalStore(isWatched ? resource.subscribe : unwatched, resource.reading, resource.reading);
  return { ...reading, refresh: resource.refresh, update: resource.update };
}
