import type { Tx } from "#lib/db/tx.ts";
import { enqueue } from "#lib/jobs/enqueue.ts";

/**
 * Plans the next check of an identity's domain, in place of one that is already planned.
 * @throws when the job queue is not installed: a proof that is never checked again would never lapse
 */
export function enqueueRecheck(tx: Tx, publicId: string, runAt: Date): Promise<void> {
  return enqueue(tx, { name: "recheck-domain", payload: { public_id: publicId }, key: `recheck:${publicId}`, runAt });
}
