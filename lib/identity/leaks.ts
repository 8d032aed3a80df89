import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { statement } from "#lib/db/statement.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { digestSecret, findSecrets } from "#lib/kernel/secrets.ts";
import { changeStanding } from "#lib/payments/standing.ts";
import type { LeakAnswer, LeakInput } from "./schema.ts";

/** A report may quote the place where the secret was found, such as a claim link or a line of a log. */
const MOST_SECRETS = 5;
/** What is no secret is looked up all the same, so that nobody learns from the time what a report met; it needs no more than this. */
const LOOKED_UP = 100;

type Leak = { kind: "management_token" | "community_key" | "claim_link"; id: string };

// Only what still opens something: the same report again finds nothing, and writes nothing.
const holderOf = statement<Leak>(
  "leak_holder",
  `SELECT 'management_token' AS kind, id FROM identities WHERE token_digest = $1 AND leaked_at IS NULL
   UNION ALL
   SELECT 'community_key', id FROM profiles WHERE key_digest = $1 AND key_leaked_at IS NULL
   UNION ALL
   SELECT 'claim_link', id FROM profiles WHERE claim_digest = $1 AND claimed_at IS NULL`,
);

/**
 * Takes the power from a secret that somebody found: whoever can report it has it. The answer is the same whatever was sent, so
 * that it tells nothing about a secret.
 */
export async function reportLeak(
  ctx: Context,
  input: z.output<typeof LeakInput>,
): Promise<z.output<typeof LeakAnswer>> {
  const found = findSecrets(input.secret, MOST_SECRETS);
  for (const secret of found.length > 0 ? found : [input.secret.slice(0, LOOKED_UP)]) {
    const digest = digestSecret(secret);
    const [leak] = await holderOf(digest);
    if (leak) await disarm(ctx, leak, digest);
  }
  return { accepted: true };
}

function disarm(ctx: Context, { kind, id }: Leak, digest: Buffer): Promise<void> {
  return transaction(async (tx) => {
    // A key or token that was replaced meanwhile is not the one that leaked.
    const changed = await DISARM[kind](tx, id, Uint8Array.from(digest), ctx.clock.now());
    if (changed === 0) return;
    await audit(tx, ctx, {
      action: "leak_reported",
      subjectKind: kind === "management_token" ? "identity" : "profile",
      subjectId: id,
      data: { secret: kind },
    });
  });
}

type Disarm = (tx: Tx, id: string, digest: Uint8Array<ArrayBuffer>, now: Date) => Promise<number>;

const DISARM: Record<Leak["kind"], Disarm> = {
  /** The identity is on hold until an administrator issues another token: transfers that are not sent yet wait. */
  async management_token(tx, id, tokenDigest, now) {
    await changeStanding(tx, id);
    const where = { id, tokenDigest, leakedAt: null };
    return (await tx.identity.updateMany({ where, data: { leakedAt: now, updatedAt: now } })).count;
  },

  async community_key(tx, id, keyDigest, now) {
    const where = { id, keyDigest, keyLeakedAt: null };
    return (await tx.profile.updateMany({ where, data: { keyLeakedAt: now } })).count;
  },

  /** The link is forgotten, like one that never was; the profile leaves the public views with it. */
  claim_link(tx, id, claimDigest, now) {
    return tx.$executeRaw`
      UPDATE profiles SET claim_digest = NULL, claim_expires_at = least(claim_expires_at, ${now}::timestamptz)
      WHERE id = ${id} AND claim_digest = ${Buffer.from(claimDigest)}::bytea AND claimed_at IS NULL`;
  },
};
