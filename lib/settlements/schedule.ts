import type { Tx } from "#lib/db/tx.ts";
import { enqueue } from "#lib/jobs/enqueue.ts";

// What a settlement leaves for the worker. The jobs themselves belong to lib/payments.

/** Closes a checkout that must no longer be paid. */
export const enqueueClosing = (tx: Tx, paymentId: string) =>
  enqueue(tx, { name: "close-checkout", payload: { payment_id: paymentId }, key: `close:${paymentId}` });

/** Money that is due comes before everything else in the queue. */
export const TRANSFER_PRIORITY = -10;

/** Sends a transfer, unless something holds it. */
export const enqueueTransfer = (tx: Tx, settlementId: string) =>
  enqueue(tx, {
    name: "send-transfer",
    payload: { settlement_id: settlementId },
    key: `transfer:${settlementId}`,
    priority: TRANSFER_PRIORITY,
  });

/** Looks again at every transfer that waits on this identity (as either party) or task, because a hold was lifted. */
export async function wakeTransfers(tx: Tx, subjectId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT graphile_worker.add_job('send-transfer', json_build_object('settlement_id', s.id), job_key => 'transfer:' || s.id, priority => ${TRANSFER_PRIORITY}::int)
    FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
    WHERE (i.state = 'queued' OR i.state = 'sending') AND ${subjectId} IN (s.provider_id, s.requester_id, s.task_id)`;
}

/** The same for every identity on a host. */
export async function wakeTransfersOfHost(tx: Tx, host: string): Promise<void> {
  await tx.$executeRaw`
    SELECT graphile_worker.add_job('send-transfer', json_build_object('settlement_id', s.id), job_key => 'transfer:' || s.id, priority => ${TRANSFER_PRIORITY}::int)
    FROM transfer_intents i JOIN settlements s ON s.id = i.settlement_id
      JOIN identities p ON p.id = s.provider_id JOIN identities r ON r.id = s.requester_id
    WHERE (i.state = 'queued' OR i.state = 'sending') AND ${host} IN (p.host, r.host)`;
}
