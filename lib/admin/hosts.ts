import { audit } from "#lib/db/audit.ts";
import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx, transaction } from "#lib/db/tx.ts";
import { agentEvent } from "#lib/identity/events.ts";
import { lockStatus } from "#lib/identity/status-lock.ts";
import { wakeTransfersOfHost } from "#lib/settlements/schedule.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";
import { HOST_PREFIX, type Risk } from "./schema.ts";

// A decision about a host applies to every identity on it, present and future. Triggers copy it into the identities' rows, where it
// is read together with their own state. A host's row is only changed under the lock that `lockStatus` takes.

/** The host in a subject such as `host:example.com`; undefined for an ID. */
export function hostOf(subjectId: string): string | undefined {
  return subjectId.startsWith(HOST_PREFIX) ? subjectId.slice(HOST_PREFIX.length) : undefined;
}

/** Holds every identity on a host, or lifts that hold. */
export async function setHostHold(tx: Tx, host: string, heldAt: Date | null, now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO hosts (host, held_at, updated_at) VALUES (${host}, ${heldAt}, ${now})
    ON CONFLICT (host) DO UPDATE SET updated_at = excluded.updated_at,
      held_at = CASE WHEN excluded.held_at IS NOT NULL THEN coalesce(hosts.held_at, excluded.held_at) END`;
  if (heldAt) return;
  await deleteWithoutDecision(tx, host);
  await wakeTransfersOfHost(tx, host);
}

/** Records for each identity on a host that this was done to it, so that each identity gets the event. */
export async function recordForIdentities(tx: Tx, ctx: AdminContext, host: string, action: "hold" | "unhold") {
  const identities = await tx.identity.findMany({ where: { host }, select: { id: true } });
  const type = action === "hold" ? "identity.held" : "identity.unheld";
  const entries = identities.map(({ id }) => ({
    action,
    subjectKind: "identity" as const,
    subjectId: id,
    data: { host },
    event: agentEvent(type, id, { reason: "host_held" }),
  }));
  await audit(tx, ctx, ...entries);
}

/** Sets a host's risk. Suspending or restoring identities there does not change it. */
export function setHostRisk(ctx: AdminContext, { host, risk, reason }: { host: string; risk: Risk; reason: string }) {
  const now = ctx.clock.now();
  const subjectId = `${HOST_PREFIX}${host}`;
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, subjectId);
    await lockStatus(tx, subjectId);
    await tx.$executeRaw`
      INSERT INTO hosts (host, risk, risk_source, updated_at) VALUES (${host}, ${risk}::risk, 'administrator', ${now})
      ON CONFLICT (host) DO UPDATE SET risk = excluded.risk, risk_source = excluded.risk_source, updated_at = excluded.updated_at`;
    await audit(tx, ctx, { action: "risk", subjectKind: "host", subjectId, reason, data: { risk } });
    return { public_id: subjectId, risk };
  });
}

/**
 * Sets the risk of a suspended identity's host to high, so that its operator cannot simply register there again. Restoring the
 * host's last suspended identity undoes this. A risk that an administrator set does not change, and neither does that of a host which
 * others have proved and the suspended identity has not: anyone can name somebody else's host.
 */
export async function rateAfterSuspension(tx: Tx, ctx: AdminContext, suspension: Suspension): Promise<void> {
  const { host, publicId, reason, suspended } = suspension;
  const now = ctx.clock.now();
  const subjectId = `${HOST_PREFIX}${host}`;
  await lockStatus(tx, subjectId);
  const connection = connectionOf(tx);
  const changed = suspended
    ? await raiseRisk.on(connection, host, publicId, now)
    : await lowerRisk.on(connection, host, now);
  if (!suspended) await deleteWithoutDecision(tx, host);
  if (changed.length === 0) return;
  const risk = suspended ? "high" : null;
  await audit(tx, ctx, { action: "risk", subjectKind: "host", subjectId, reason, data: { risk, public_id: publicId } });
}

/** Whether a suspended identity `i` says something about its host. */
const SPEAKS_FOR_HOST = `(i.domain_status <> 'unverified'
  OR NOT EXISTS (SELECT FROM identities o WHERE o.host = i.host AND o.domain_status <> 'unverified'))`;

const raiseRisk = statement(
  "host.raise_risk",
  { host: text },
  `INSERT INTO hosts (host, risk, risk_source, updated_at)
   SELECT $1, 'high', 'suspension', $3::timestamptz
   WHERE EXISTS (SELECT FROM identities i WHERE i.id = $2 AND ${SPEAKS_FOR_HOST})
   ON CONFLICT (host) DO UPDATE SET risk = 'high', risk_source = 'suspension', updated_at = excluded.updated_at
   WHERE hosts.risk IS NULL RETURNING host`,
);
const lowerRisk = statement(
  "host.lower_risk",
  { host: text },
  `UPDATE hosts SET risk = NULL, risk_source = NULL, updated_at = $2
   WHERE host = $1 AND risk_source = 'suspension'
     AND NOT EXISTS (SELECT FROM identities i WHERE i.host = $1 AND i.state = 'suspended' AND ${SPEAKS_FOR_HOST}) RETURNING host`,
);

type Suspension = { host: string; publicId: string; reason: string; suspended: boolean };

/** A host without a decision has no row, so that the table stays small. */
async function deleteWithoutDecision(tx: Tx, host: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM hosts WHERE host = ${host} AND held_at IS NULL AND risk IS NULL`;
}
