import { statement } from "#lib/db/statement.ts";
import type { HeldWebhook } from "./queue.ts";
import { isOutdated, openSecret, sealSecret } from "./secret.ts";

type Stored = Pick<HeldWebhook, "identityId" | "secret" | "previousSecret" | "previousUntil">;

const renew = statement(
  "webhook_renew_secret",
  {},
  "UPDATE webhooks SET secret = $3 WHERE identity_id = $1 AND secret = $2",
);

/**
 * The secrets that sign now, the current one first. A secret that was stored under a previous `AUTH_SECRET` is stored again under
 * the current one. @returns undefined if the current secret can no longer be read
 */
export async function readSecrets(stored: Stored, now: Date): Promise<Buffer[] | undefined> {
  const { identityId, secret, previousSecret, previousUntil } = stored;
  const current = openSecret(secret, identityId);
  if (!current) return undefined;
  if (isOutdated(secret)) await renew(identityId, secret, sealSecret(current, identityId));
  const previous = previousSecret && previousUntil && previousUntil > now && openSecret(previousSecret, identityId);
  return previous ? [current, previous] : [current];
}
