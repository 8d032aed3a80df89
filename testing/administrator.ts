import { type AdminContext, commandLineContext } from "#lib/admin/context.ts";
import { listEvents } from "#lib/admin/page-reads/audit.ts";
import { AuditQuery } from "#lib/admin/schema.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { Answer } from "./client.ts";
import { callAsOwner, signedInOwner } from "./owner.ts";

/** An administrator at the command line, and a reason for acts whose reason does not matter. */
export const admin = commandLineContext("test");
export const reason = "test";

export type TestAdministrator = Awaited<ReturnType<typeof signedInAdministrator>>;

/** An administrator, signed in, with the acts of the administrator's pages. */
export async function signedInAdministrator(name = "Tess of the Hall") {
  const owner = await signedInOwner({ role: "administrator", name });
  const ctx: AdminContext = {
    actor: { kind: "administrator", id: owner.ownerId, name },
    clock: systemClock,
    requestId: newId("req"),
  };
  return {
    ...owner,
    ctx,
    /** Sends one act; its reason is "Because." unless `fields` give another. */
    act<Body = Record<string, unknown>>(act: string, fields: Record<string, unknown>): Promise<Answer<Body>> {
      return callAsOwner(owner, "POST", `/api/v1/admin/${act}.php`, { reason: "Because.", ...fields });
    },
  };
}

/** The administrators' acts on this subject in the audit trail, newest first. */
export async function recordOf(subject: string) {
  const { rows: events } = await listEvents(AuditQuery.parse({ subject, kind: "administrator" }));
  return events.map(({ action, actorId, actorName, reason, data }) => ({ action, actorId, actorName, reason, data }));
}
