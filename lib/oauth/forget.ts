import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";

const BATCH = 1_000;
/** A connection whose code was never redeemed. */
const UNREDEEMED_SECONDS = 3_600;
/** A program that registered itself and was never connected. */
const UNUSED_SECONDS = 30 * 86_400;

const forgetting = (name: string, table: string, key: string, where: string) =>
  statement(
    `oauth.forget_${name}`,
    { forgotten: db.integer },
    `WITH gone AS (
       DELETE FROM ${table} WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING 1)
     SELECT count(*)::int AS forgotten FROM gone`,
  );

const records = forgetting("records", "oauth_records", "model, digest", "expires_at < $1");
const ended = forgetting("ended", "oauth_connections", "id", "expires_at < $1");
const unredeemed = forgetting("unredeemed", "oauth_connections", "id", "last_used_at IS NULL AND created_at < $1");
const unused = forgetting(
  "unused",
  "oauth_clients",
  "id",
  "registered_by = 'itself' AND last_used_at IS NULL AND created_at < $1",
);

/** Deletes what the authorization server no longer needs, in batches. */
export async function forgetOauth({ clock }: Context): Promise<void> {
  const now = clock.now();
  await all(records, now);
  await all(ended, now);
  await all(unredeemed, secondsAfter(now, -UNREDEEMED_SECONDS));
  await all(unused, secondsAfter(now, -UNUSED_SECONDS));
}

async function all(forgetBatch: typeof records, before: Date): Promise<void> {
  for (;;) {
    const [batch] = await forgetBatch(before);
    if ((batch?.forgotten ?? 0) < BATCH) return;
  }
}
