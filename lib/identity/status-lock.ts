import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import { sessionPool } from "#lib/db/client.ts";
import { type Tx, takeLock } from "#lib/db/tx.ts";

// The status of an identity, host or task is whether it is suspended, held or disputed. A transfer is decided in one transaction
// and sent after it. No transfer may follow a suspension or hold that was already confirmed to an administrator, so the sender
// locks the status of everyone concerned until the card processor has answered, and a change of status waits for that lock.
// These locks belong to a database session, not to a transaction.

/** Runs `work` while the status of these identities and tasks cannot change. */
export async function whileStatusLocked<Result>(subjectIds: string[], work: () => Promise<Result>): Promise<Result> {
  const session = await sessionPool().connect();
  const ids = [...subjectIds].sort();
  try {
    for (const id of ids) await session.query(`SELECT pg_advisory_lock_shared(${ADVISORY_LOCKS.status("$1")})`, [id]);
    return await work();
  } finally {
    // If unlocking fails, the session is closed, which releases its locks.
    const freed = await session.query("SELECT pg_advisory_unlock_all()").then(
      () => true,
      () => false,
    );
    session.release(!freed);
  }
}

/** Waits until no transfer that depends on this identity, host or task is being sent, and keeps others from starting until commit. */
export async function lockStatus(tx: Tx, subjectId: string): Promise<void> {
  await takeLock(tx, ADVISORY_LOCKS.status("$1"), subjectId);
}
