import type { Clock } from "#lib/kernel/clock.ts";
import { countDelivery } from "#lib/kernel/metrics.ts";
import type { receiverRows } from "./receiver-rows.ts";
import { nextAttempt } from "./schedule.ts";
import type { Attempt, Send } from "./send.ts";

/** A round ends after this many deliveries, or with the first one that ends after SLOW_MS: then others that are due come first. */
export const MOST_IN_ROUND = 20;
/** Answers that take longer put a receiver among the slow ones. */
export const SLOW_MS = 1_000;

/** What a round works with. */
export type Means = {
  /** Identifies this process among the holders. */
  holder: string;
  clock: Clock;
  send: Send;
  /** From 0 to 1. */
  random(): number;
  /** Ends the round; what is being sent counts as not sent. */
  signal: AbortSignal;
};

/** A receiver that this process has claimed. */
export type Held = { id: string; failures: number };

/** An attempt, with its number and when it was made. */
export type Numbered = Attempt & { attempt: number; at: Date };

/** Something to deliver. */
type Due = {
  attempt(means: Means, at: Date): Promise<Attempt>;
  note(made: Numbered): Promise<unknown>;
  /** For the statement that records its success. */
  values?: object;
};

/** What is next for a receiver, in order. `end` is for the statement that ends a round in which all of it was delivered. */
export type Next = { due: Due[]; end?: object };

/** Why deliveries to a receiver end: it asked for that, the last attempt failed, or what is stored of it can no longer be read. */
export type Reason = "gone" | "exhausted" | "secret_lost";

/** A kind of receivers. */
export type Receivers<Row extends Held> = {
  rows: Pick<
    ReturnType<typeof receiverRows>,
    "isAnyDue" | "recordSuccess" | "recordFailure" | "release" | "abandon"
  > & {
    claim(...given: Parameters<ReturnType<typeof receiverRows>["claim"]>): Promise<Row[]>;
  };
  /** At most MOST_IN_ROUND; undefined if what is stored of the receiver can no longer be read. */
  next(row: Row, now: Date): Promise<Next | undefined>;
  /** What to tell in that case. */
  unreadable: string;
  /** Ends deliveries, unless the receiver was changed or taken over meanwhile. */
  stop(row: Row, means: Means, reason: Reason, error: string): Promise<void>;
  /** Marks receivers for which something waits although nothing announced it. */
  wake?(): Promise<unknown>;
};

const UNFINISHED = { reached: 0, finished: false };

/**
 * Delivers what is next for a receiver that this process has claimed, one after the other, until an attempt fails. A success is
 * recorded after the receiver has accepted, so if this process dies in between, it is delivered again.
 */
export async function deliverRound<Row extends Held>(kind: Receivers<Row>, row: Row, means: Means): Promise<void> {
  const { holder, clock } = means;
  const release = (end: object) => kind.rows.release({ ...row, holder, now: clock.now(), ...end });
  const next = await kind.next(row, clock.now());
  if (!next) return kind.stop(row, means, "secret_lost", kind.unreadable);
  const began = performance.now();
  let { failures } = row;
  for (const due of next.due) {
    if (means.signal.aborted) return;
    const at = clock.now();
    const made = await due.attempt(means, at);
    countDelivery(made.outcome);
    await due.note({ ...made, attempt: failures + 1, at });
    if (made.outcome !== "delivered") {
      // New settings are tried at once.
      if (!(await recordRefusal(kind, row, means, made, failures + 1))) await release(UNFINISHED);
      return;
    }
    const slow = made.ms > SLOW_MS;
    const goesOn = await kind.rows.recordSuccess({ ...row, ...due.values, holder, slow, now: clock.now() });
    failures = 0;
    const isLate = due !== next.due.at(-1) && performance.now() - began > SLOW_MS;
    if (!goesOn || isLate) return release(UNFINISHED);
  }
  await release(next.end ?? {});
}

/** @returns false if the receiver was changed meanwhile */
async function recordRefusal<Row extends Held>(
  { rows, stop }: Receivers<Row>,
  row: Row,
  means: Means,
  attempt: Attempt,
  failures: number,
): Promise<boolean> {
  const error = attempt.error ?? "The delivery failed.";
  const at = means.clock.now();
  const next =
    attempt.outcome === "gone" ? undefined : nextAttempt(at, failures, means.random(), attempt.retryAfterSeconds);
  if (next) return rows.recordFailure({ ...row, holder: means.holder, at, error, next });
  await stop(row, means, attempt.outcome === "gone" ? "gone" : "exhausted", error);
  return true;
}
