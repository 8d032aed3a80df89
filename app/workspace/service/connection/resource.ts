import type { Refusal } from "#components/form/refusal.tsx";
import type { Outcome } from "../../../browser/call.ts";

/** What is known of something that is read again and again. Times are in milliseconds by this machine's clock. */
export type Reading<Body> = {
  body: Body | undefined;
  /** Why the last try gave nothing. What was read before stays. */
  refusal: Refusal | null;
  freshAt: number | null;
  /** How far the service's clock is ahead of this one. */
  skew: number;
  pending: boolean;
  nextAt: number | null;
  /** Somebody asked for it now, and it comes as soon as that is allowed. */
  awaited: boolean;
};

export type Pace = {
  everySeconds: number /** The least between two refreshes, also when asked by hand. */;
  least?: number;
};

const LONGEST_PAUSE_MS = 300_000;

/** Milliseconds to wait after this many failures in a row: twice as long each time, and never two tabs in step. */
export function pauseAfter(failures: number, everySeconds: number, random: number = Math.random()): number {
  const pause = Math.min(LONGEST_PAUSE_MS, everySeconds * 1000 * 2 ** failures);
  return Math.round(pause * (failures > 0 ? 0.8 + 0.4 * random : 1 + 0.1 * random));
}

/**
 * Something of the service that is read as long as somebody looks at it: at its pace, not in a hidden tab, more and more slowly
 * while it fails, and never before the service said to come again.
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
  #given = 0;
  /** Asked for again while it was being read: what comes may be older than what was done meanwhile. */
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

  /** Reads now, or as soon as that is allowed. */
  readonly refresh = (): void => {
    this.#again = this.#reading.pending;
    this.#dueAt = this.#earliestAt;
    if (this.#earliestAt > Date.now()) this.#change({ awaited: true, nextAt: this.#earliestAt });
    this.#schedule();
  };

  /** What another answer told about it. Something that is read at this moment is older, and is not believed. */
  readonly give = (next: (body: Body | undefined) => Body | undefined): void => {
    this.#given += 1;
    this.#change({ body: next(this.#reading.body), freshAt: Date.now(), refusal: null });
  };

  /** Reads no more, and keeps nothing. */
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
    const given = this.#given;
    this.#change({ pending: true, nextAt: null, awaited: false });
    const outcome = await this.#load();
    if (!this.#ended) this.take(outcome, given !== this.#given);
  }

  /** An answer to its own question; one that was `overtaken` only says when to ask again. */
  take(outcome: Outcome<Body>, overtaken = false): void {
    const now = Date.now();
    const { everySeconds, least = 1 } = this.#pace;
    const retryAfter = outcome.ok ? 0 : (outcome.refusal.retryAfterSeconds ?? 0) * 1000;
    this.#failures = outcome.ok ? 0 : this.#failures + 1;
    this.#earliestAt = now + Math.max(least * 1000, retryAfter);
    this.#dueAt = this.#again
      ? this.#earliestAt
      : Math.max(this.#earliestAt, now + pauseAfter(this.#failures, everySeconds));
    this.#again = false;
    const told: Partial<Reading<Body>> = { pending: false, nextAt: this.#dueAt };
    if (!outcome.ok) this.#change({ ...told, refusal: outcome.refusal });
    else if (overtaken) this.#change(told);
    else {
      const skew = Number.isFinite(outcome.serverTime) ? Number(outcome.serverTime) - now : 0;
      this.#change({ ...told, body: outcome.body, refusal: null, freshAt: now, skew });
    }
    this.#schedule();
  }
}
