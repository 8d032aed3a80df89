import { forgetting } from "#lib/db/forgetting.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";

/** A connection whose code was never redeemed. */
const UNREDEEMED_SECONDS = 3_600;
/** A program that registered itself and was never connected. */
const UNUSED_SECONDS = 30 * 86_400;

const of = (name: string, table: string, key: string, where: string) =>
  forgetting(`oauth.forget_${name}`, { table, key, where });

const records = of("records", "oauth_records", "model, digest", "expires_at < $1");
const ended = of("ended", "oauth_connections", "id", "expires_at < $1");
const unredeemed = of("unredeemed", "oauth_connections", "id", "last_used_at IS NULL AND created_at < $1");
const neverUsed = "registered_by = 'itself' AND last_used_at IS NULL AND created_at < $1";
const unused = of("unused", "oauth_clients", "id", neverUsed);

/** Deletes what the authorization server no longer needs. */
export async function forgetOauth({ clock }: Context): Promise<void> {
  const now = clock.now();
  await records(now);
  await ended(now);
  await unredeemed(secondsAfter(now, -UNREDEEMED_SECONDS));
  await unused(secondsAfter(now, -UNUSED_SECONDS));
}
