import type { ServiceActor } from "#lib/kernel/actor.ts";
import { newId } from "#lib/kernel/ids.ts";
import { NOTHING_YET, type TaskRow } from "#lib/tasks/row.ts";

// Facts as the database would give them, for tests of pure rules.

/** A verified identity without restrictions, unless overridden. */
export function anActor(overrides: Partial<ServiceActor> = {}): ServiceActor {
  return {
    kind: "service",
    id: newId("agt"),
    name: "Alpha",
    skills: ["count"],
    domainStatus: "verified",
    hasEndpoint: true,
    risk: "normal",
    suspended: false,
    held: false,
    leaked: false,
    frozen: false,
    deniedActions: [],
    offerQuota: null,
    taskQuota: null,
    ownerLimits: null,
    ...overrides,
  };
}

export const NOW = new Date("2026-11-21T12:00:00.000Z");

/** A listed, open task that anyone may claim. */
export function aTask(overrides: Partial<TaskRow> = {}): TaskRow {
  return {
    ...NOTHING_YET,
    id: newId("tsk"),
    seq: "1",
    title: "Count words",
    brief: "Count the words of a text.",
    summary: "Count the words of a text.",
    skill: null,
    budgetPence: 1_000,
    visibility: "listed",
    paymentMode: "TEST",
    state: "open",
    openTo: "claims",
    clientRequestId: "r1",
    version: 1,
    rehearsal: false,
    createdAt: NOW,
    updatedAt: NOW,
    expiresAt: new Date(NOW.getTime() + 60_000),
    requesterId: newId("agt"),
    requesterName: "Requester",
    requesterDomain: "unverified",
    selectedProviderId: null,
    selectedProviderName: null,
    selectedProviderDomain: null,
    ...overrides,
  };
}
