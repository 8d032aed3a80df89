import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf, takeLock } from "#lib/db/tx.ts";
import { ACTOR } from "#lib/identity/row.ts";
import type { ServiceActor } from "#lib/kernel/actor.ts";

// An acceptance locks the limits of the identity that accepts until it commits, and a change of limits waits for that. So whatever was
// accepted before the limits changed is counted, and nothing is accepted afterwards that breaks them. It is an advisory lock, so that it is
// compatible with everything else that happens to an identity. An acceptance takes it after the task's lock; a change of limits locks no
// task.

const KEY = ADVISORY_LOCKS.ownerLimits("$1");
const share = statement(
  "owner_limits.share",
  { locked: db.integer },
  `SELECT 1 AS locked FROM pg_advisory_xact_lock_shared(${KEY})`,
);

const LIMITS = { ownerLimits: ACTOR.ownerLimits };
const current = statement(
  "owner_limits.current",
  LIMITS,
  `SELECT ${db.select(LIMITS)} FROM identities i WHERE i.id = $1`,
);

/** The caller with its owner limits as they are until this transaction ends; those from its authentication may be out of date. */
export async function withLockedLimits(tx: AnyTx, actor: ServiceActor): Promise<ServiceActor> {
  const connection = connectionOf(tx);
  // Two statements, because one would read the limits as they were before it waited for the lock. They are sent together.
  const [, [row]] = await Promise.all([share.on(connection, actor.id), current.on(connection, actor.id)]);
  return { ...actor, ownerLimits: row?.ownerLimits ?? null };
}

/** Waits until no acceptance by this identity is under way, and keeps others from starting until commit. */
export async function lockLimits(tx: AnyTx, identityId: string): Promise<void> {
  await takeLock(tx, KEY, identityId);
}

const actorNow = statement("owner_limits.actor", ACTOR, `SELECT ${db.select(ACTOR)} FROM identities i WHERE i.id = $1`);

/** An identity in whose name this transaction may accept, with its owner limits as they are until the transaction ends. */
export async function actorWithLockedLimits(tx: AnyTx, identityId: string): Promise<ServiceActor> {
  const connection = connectionOf(tx);
  const [, [row]] = await Promise.all([share.on(connection, identityId), actorNow.on(connection, identityId)]);
  if (!row) throw new Error(`there is no identity ${identityId}`);
  return { kind: "service", ...row };
}
