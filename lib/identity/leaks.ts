import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { oneOf, type RowOf, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { allDigests, findSecrets } from "#lib/kernel/secrets.ts";
import { endAccess } from "./access.ts";
import { agentEvent, credentialEnded } from "./events.ts";
import type { LeakAnswer, LeakInput } from "./schema.ts";
import { lockStatus } from "./status-lock.ts";

/** A report may include surrounding text, such as a whole claim link or a line of a log. */
const MOST_SECRETS = 5;
/** Text without a secret is looked up as well, so that the time taken reveals nothing. This many characters are enough for that. */
const LOOKED_UP = 100;
/** How long a report waits for a transfer in progress. */
const MOST_WAIT = "5s";

const LEAK = { kind: oneOf("management_token", "access_token", "community_key", "claim_link"), id: text };
type Leak = RowOf<typeof LEAK>;
/** Every digest under which the secret may be stored: using it at the same moment may replace one with another. */
type Digests = Uint8Array<ArrayBuffer>[];

// Only secrets that still work, so that a repeated report finds nothing and writes nothing.
const holderOf = statement(
  "leak_holder",
  LEAK,
  `SELECT 'management_token' AS kind, id FROM identities WHERE token_digest = ANY ($1::bytea[]) AND leaked_at IS NULL
   UNION ALL
   SELECT 'access_token', id FROM access_tokens WHERE digest = ANY ($1::bytea[])
   UNION ALL
   SELECT 'community_key', id FROM profiles WHERE key_digest = ANY ($1::bytea[]) AND key_leaked_at IS NULL
   UNION ALL
   SELECT 'claim_link', id FROM profiles WHERE claim_digest = ANY ($1::bytea[]) AND claimed_at IS NULL`,
);

/**
 * Stops a secret that someone found from working. Anyone who has the secret may report it. The answer is the same whatever was
 * sent, so it reveals nothing about a secret.
 */
export async function reportLeak(
  ctx: Context,
  input: z.output<typeof LeakInput>,
): Promise<z.output<typeof LeakAnswer>> {
  const found = findSecrets(input.secret, MOST_SECRETS);
  for (const secret of found.length > 0 ? found : [input.secret.slice(0, LOOKED_UP)]) {
    const digests = allDigests(secret);
    const [leak] = await holderOf(digests);
    if (leak) await revoke(ctx, leak, digests);
  }
  return { accepted: true };
}

async function revoke(ctx: Context, { kind, id }: Leak, digests: Digests): Promise<void> {
  if (kind === "access_token") {
    await transaction((tx) => endAccess(tx, ctx, { by: "digest", values: [digests], action: "leak_reported" }));
    return;
  }
  await transaction(async (tx) => {
    // If the key or token has been replaced meanwhile, the new one has not leaked.
    const changed = await REVOKE[kind](tx, id, digests, ctx.clock.now());
    if (changed === 0) return;
    await audit(tx, ctx, {
      action: "leak_reported",
      subjectKind: kind === "management_token" ? "identity" : "profile",
      subjectId: id,
      data: { secret: kind },
      event:
        kind === "management_token" ? agentEvent("identity.held", id, { reason: "leaked_token" }) : credentialEnded,
    });
  });
  if (kind === "management_token") await waitForTransfers(id);
}

/**
 * Later transfers will see the leak and wait. This waits for one in progress, but unlike an administrator's hold it gives up:
 * the token has already stopped working, and a failure here must not change the answer.
 */
async function waitForTransfers(id: string): Promise<void> {
  const waited = transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('lock_timeout', ${MOST_WAIT}, true)`;
    await lockStatus(tx, id);
  });
  await waited.catch(() => undefined);
}

type Revoke = (tx: Tx, id: string, digests: Digests, now: Date) => Promise<number>;

const REVOKE: Record<Exclude<Leak["kind"], "access_token">, Revoke> = {
  /** The identity is on hold until an administrator issues another token. */
  async management_token(tx, id, digests, now) {
    const where = { id, tokenDigest: { in: digests }, leakedAt: null };
    return (await tx.identity.updateMany({ where, data: { leakedAt: now, updatedAt: now } })).count;
  },

  async community_key(tx, id, digests, now) {
    const where = { id, keyDigest: { in: digests }, keyLeakedAt: null };
    return (await tx.profile.updateMany({ where, data: { keyLeakedAt: now } })).count;
  },

  /** The link becomes unknown, and the profile leaves the public views. */
  async claim_link(tx, id, digests, now) {
    const where = { id, claimDigest: { in: digests }, claimedAt: null };
    return (await tx.profile.updateMany({ where, data: { claimDigest: null, claimExpiresAt: now } })).count;
  },
};
