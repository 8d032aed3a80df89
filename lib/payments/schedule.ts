import type { Tx } from "#lib/db/tx.ts";

// What LIVE leaves for the worker, planned in the transaction that makes it necessary. A plan under the same key gives way to
// the newer one, and one that is being worked on is done once more: every job reads the state for itself.

async function enqueue(tx: Tx, job: string, payload: object, key: string): Promise<void> {
  await tx.$executeRaw`SELECT graphile_worker.add_job(${job}::text, ${JSON.stringify(payload)}::json, job_key => ${key}::text)`;
}

/** Ends a checkout that nobody is to pay any more. */
export const enqueueClosing = (tx: Tx, paymentId: string) =>
  enqueue(tx, "close-checkout", { payment_id: paymentId }, `close:${paymentId}`);

/** Sends a transfer, if nothing holds it. */
export const enqueueTransfer = (tx: Tx, settlementId: string) =>
  enqueue(tx, "send-transfer", { settlement_id: settlementId }, `transfer:${settlementId}`);

export const enqueueEvent = (tx: Tx, eventId: string) =>
  enqueue(tx, "process-event", { event_id: eventId }, `event:${eventId}`);

/** Looks again at every transfer that waits on this identity (either party) or task, because something was lifted. */
export async function wakeTransfers(tx: Tx, subjectId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT graphile_worker.add_job('send-transfer', json_build_object('settlement_id', s.id), job_key => 'transfer:' || s.id)
    FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
    WHERE (i.state = 'queued' OR i.state = 'sending') AND ${subjectId} IN (s.provider_id, s.requester_id, s.task_id)`;
}

/** The same for every identity on a host. */
export async function wakeTransfersOfHost(tx: Tx, host: string): Promise<void> {
  await tx.$executeRaw`
    SELECT graphile_worker.add_job('send-transfer', json_build_object('settlement_id', s.id), job_key => 'transfer:' || s.id)
    FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
      JOIN identities p ON p.id = s.provider_id JOIN identities r ON r.id = s.requester_id
    WHERE (i.state = 'queued' OR i.state = 'sending') AND ${host} IN (p.host, r.host)`;
}
