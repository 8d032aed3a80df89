import { secondsAfter } from "#lib/kernel/clock.ts";
import type { TaskState } from "./machine.ts";

/** What the clocks of a task depend on; a part of its row. */
type PublicFacts = {
  state: TaskState;
  updatedAt: Date;
  claimEndsAt: Date | null;
  reviewEndsAt: Date | null;
  lapsesAt: Date | null;
  silenceDays: number;
};
type Facts = PublicFacts & {
  requesterAcceptedAt: Date | null;
  providerAcceptedAt: Date | null;
  changesReason: string | null;
  workTerms: WorkTerms | null;
};
/** What the agreement says of the time for the work. */
export type WorkTerms = { dueAt: string | null; graceHours: number | null };

/** Hours after the due date from which the requester may leave, if the terms say nothing. */
const GRACE_HOURS = 24;
/** What a request for changes gives the provider at least, in days. */
const CHANGES_DAYS = 7;

const DAY_SECONDS = 86_400;
const days = (from: Date, count: number) => secondsAfter(from, count * DAY_SECONDS);
const latest = (...times: Date[]) => new Date(Math.max(...times.map((time) => time.getTime())));
/** The last time that has the wire form. */
const END_OF_TIME = new Date("9999-12-31T23:59:59.999Z");

export type Clock = {
  clock: "claim" | "work" | "review";
  endsAt: Date;
  end: "lapse" | "leave" | "auto_complete" | "conclude";
};

/** The clocks that run for everyone who sees the task. The times of agreed work are in its terms, which only its parties read. Pure. */
export function publicClocks(task: PublicFacts): Clock[] {
  if (task.claimEndsAt) return [{ clock: "claim", endsAt: task.claimEndsAt, end: "lapse" }];
  if (task.state !== "submitted") return [];
  return task.reviewEndsAt
    ? [{ clock: "review", endsAt: task.reviewEndsAt, end: "auto_complete" }]
    : // The last step is the submission.
      [{ clock: "review", endsAt: days(task.updatedAt, task.silenceDays), end: "conclude" }];
}

/** All clocks that run. Pure. */
export function clocksOf(task: Facts): Clock[] {
  const endsAt = workEnd(task);
  return endsAt ? [{ clock: "work", endsAt, end: "leave" }] : publicClocks(task);
}

function workEnd(task: Facts): Date | undefined {
  const { state, workTerms: terms, requesterAcceptedAt, providerAcceptedAt } = task;
  if ((state !== "accepted" && state !== "in_progress") || !terms || !requesterAcceptedAt || !providerAcceptedAt)
    return undefined;
  // While a request for changes waits for the next submission, it is the last step.
  const changesAt = task.changesReason === null ? undefined : task.updatedAt;
  const ends = terms.dueAt
    ? [
        secondsAfter(new Date(terms.dueAt), (terms.graceHours ?? GRACE_HOURS) * 3_600),
        ...(changesAt ? [days(changesAt, CHANGES_DAYS)] : []),
      ]
    : [days(changesAt ?? latest(requesterAcceptedAt, providerAcceptedAt), task.silenceDays)];
  const end = latest(...ends);
  return end < END_OF_TIME ? end : END_OF_TIME;
}

/** From when on a step that needs patience is possible; undefined for other steps. Pure. */
export function notBefore(task: Facts, step: string): Date | undefined {
  return clocksOf(task).find(({ end }) => end === step)?.endsAt;
}

/** What changes in a task at the end of a claim that led to no agreement. */
export const UNCLAIMED = {
  state: "open",
  providerId: null,
  providerName: null,
  providerDomain: null,
  providerHost: null,
  contractId: null,
  contractState: null,
  termsHash: null,
  amountPence: null,
  requesterAcceptedAt: null,
  providerAcceptedAt: null,
  claimEndsAt: null,
  lapsesAt: null,
} as const;

/** Whether the claim has ended, although the sweep may not have recorded it yet. Pure. */
export function isLapsed(task: PublicFacts, now: Date): boolean {
  return task.lapsesAt !== null && task.lapsesAt <= now;
}

/** The task as every reader sees it at this time: a claim that has ended is no longer there. Pure. */
export function seenAt<Row extends PublicFacts>(task: Row, now: Date): Row {
  return isLapsed(task, now) ? { ...task, ...UNCLAIMED } : task;
}
