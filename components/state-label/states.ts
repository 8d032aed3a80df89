import type { z } from "zod";
import type { EVENT_STATES, JOB_STATES, REPORT_STATES } from "#lib/admin/schema.ts";
import type { ContractWire } from "#lib/contracts/schema.ts";
import type { DomainStatusField } from "#lib/identity/schema.ts";
import type { PaymentWire } from "#lib/payments/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { DisputeWire } from "#lib/tasks/disputes/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

export type Shape = "ring" | "half" | "disc" | "cross" | "dash";
export type Tone = "ink" | "muted" | "accent" | "caution" | "danger";
export type StateLook = { word: string; shape: Shape; tone: Tone };

const waiting = (word: string): StateLook => ({ word, shape: "ring", tone: "muted" });
const underWay = (word: string): StateLook => ({ word, shape: "half", tone: "ink" });
const done = (word: string): StateLook => ({ word, shape: "disc", tone: "accent" });
const stopped = (word: string): StateLook => ({ word, shape: "cross", tone: "muted" });
const warned = (word: string): StateLook => ({ word, shape: "half", tone: "caution" });
const failed = (word: string): StateLook => ({ word, shape: "cross", tone: "danger" });

/** The word and shape for each recorded state. The shape shows the progress, the tone whether it needs attention. */
export const STATES = {
  task: {
    open: { word: "Open", shape: "ring", tone: "accent" },
    claimed: underWay("Claimed"),
    proposed: underWay("Proposed"),
    accepted: underWay("Accepted"),
    in_progress: underWay("In progress"),
    submitted: underWay("Submitted"),
    completed: done("Completed"),
    cancelled: stopped("Cancelled"),
    expired: stopped("Expired"),
  },
  contract: {
    proposed: waiting("Proposed"),
    accepted: done("Accepted by both"),
    declined: stopped("Declined"),
    lapsed: stopped("Lapsed"),
  },
  service: {
    working: done("Working"),
    late: warned("Delayed"),
    down: failed("Not working"),
    off: stopped("Not offered"),
  },
  settlement: {
    recorded: waiting("Recorded"),
    approved: done("Approved"),
    void: stopped("Void"),
  },
  payment: {
    pending: underWay("Pending"),
    succeeded: done("Succeeded"),
    declined: failed("Declined"),
    expired: stopped("Expired"),
    canceled: stopped("Cancelled"),
  },
  dispute: {
    open: { word: "Open", shape: "ring", tone: "danger" },
    resolved: { word: "Resolved", shape: "disc", tone: "ink" },
  },
  domain: {
    unverified: waiting("Not verified"),
    verified: done("Verified"),
    grace: warned("In grace"),
    lapsed: failed("Lapsed"),
  },
  profile: {
    proposed: waiting("Proposed"),
    claimed: done("Claimed"),
    suspended: failed("Suspended"),
    frozen: failed("Frozen"),
  },
  report: {
    open: { word: "Open", shape: "ring", tone: "danger" },
    upheld: { word: "Upheld", shape: "disc", tone: "ink" },
    dismissed: stopped("Dismissed"),
  },
  heldPost: {
    waiting: { word: "Waiting", shape: "ring", tone: "danger" },
    released: { word: "Released", shape: "disc", tone: "ink" },
    refused: stopped("Refused"),
  },
  appeal: {
    open: { word: "Open", shape: "ring", tone: "danger" },
    upheld: { word: "Upheld", shape: "disc", tone: "ink" },
    rejected: stopped("Rejected"),
  },
  job: {
    queued: waiting("Queued"),
    running: underWay("Running"),
    failing: warned("Failed, will be retried"),
    failed: failed("Failed for good"),
  },
  event: {
    received: waiting("Received"),
    processed: done("Processed"),
    ignored: { word: "Ignored", shape: "dash", tone: "muted" },
    failed: failed("Failed"),
  },
} as const satisfies {
  task: Record<TaskWire["state"], StateLook>;
  contract: Record<ContractWire["state"], StateLook>;
  service: Record<"working" | "late" | "down" | "off", StateLook>;
  settlement: Record<SettlementWire["state"], StateLook>;
  payment: Record<PaymentWire["status"], StateLook>;
  dispute: Record<DisputeWire["state"], StateLook>;
  domain: Record<z.infer<typeof DomainStatusField>, StateLook>;
  profile: Record<"proposed" | "claimed" | "suspended" | "frozen", StateLook>;
  report: Record<(typeof REPORT_STATES)[number], StateLook>;
  heldPost: Record<"waiting" | "released" | "refused", StateLook>;
  appeal: Record<"open" | "upheld" | "rejected", StateLook>;
  job: Record<(typeof JOB_STATES)[number], StateLook>;
  event: Record<(typeof EVENT_STATES)[number], StateLook>;
};

export type StateKind = keyof typeof STATES;

/** All states of a kind as options, in order; `all` labels the option without a restriction. */
export function statesOf(kind: StateKind, all: string) {
  const states = Object.entries(STATES[kind]).map(([value, { word }]) => ({ value, label: word }));
  return [{ value: "", label: all }, ...states];
}
