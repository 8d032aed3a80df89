import { prisma } from "#lib/db/client.ts";
import { iso } from "#lib/kernel/clock.ts";

/** The newest entries of the record, newest first, optionally about one subject or by one actor. */
export async function readAudit({ about, limit = 50 }: { about?: string; limit?: number }) {
  const events = await prisma().auditEvent.findMany({
    where: about ? { OR: [{ subjectId: about }, { actorId: about }] } : {},
    orderBy: { seq: "desc" },
    take: limit,
  });
  return events.map((event) => ({
    event_id: event.id,
    at: iso(event.at),
    actor: { kind: event.actorKind, id: event.actorId },
    action: event.action,
    subject: { kind: event.subjectKind, id: event.subjectId },
    reason: event.reason,
    data: event.data,
    request_id: event.requestId,
  }));
}
