import type { Tx } from "#lib/db/tx.ts";

/**
 * Plans the next check of an identity's domain, in the transaction that makes it necessary; an earlier plan for the same
 * identity gives way to it.
 * @throws when the job queue is not installed: a proof that nobody checks again would never lapse
 */
export async function enqueueRecheck(tx: Tx, publicId: string, runAt: Date): Promise<void> {
  await tx.$executeRaw`SELECT graphile_worker.add_job('recheck-domain', json_build_object('public_id', ${publicId}::text),
    run_at => ${runAt}::timestamptz, job_key => 'recheck:' || ${publicId}::text)`;
}
