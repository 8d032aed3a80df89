import { pool } from "#lib/db/client.ts";
import type { Tx } from "#lib/db/tx.ts";

// A transfer is decided in one transaction and sent after it. So that a suspension or hold that has been answered is never
// followed by a transfer that was decided before, its sender keeps the standing of everybody concerned locked until the
// processor has answered; who changes a standing waits for that. These locks belong to a session, not to a transaction.

/** Runs `work` while the standing of these identities and tasks cannot change. */
export async function whileStanding<Result>(subjectIds: string[], work: () => Promise<Result>): Promise<Result> {
  const session = await pool().connect();
  const ids = [...subjectIds].sort();
  try {
    for (const id of ids)
      await session.query("SELECT pg_advisory_lock_shared(hashtextextended('standing:' || $1, 0))", [id]);
    return await work();
  } finally {
    // A session that cannot say that it lets go is ended, and its locks with it.
    const freed = await session.query("SELECT pg_advisory_unlock_all()").then(
      () => true,
      () => false,
    );
    session.release(!freed);
  }
}

/** Waits until no transfer that depends on this identity or task is under way, and keeps others from starting until commit. */
export async function changeStanding(tx: Tx, subjectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('standing:' || ${subjectId}, 0))`;
}
