import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { statement } from "#lib/db/statement.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { allDigests, findSecrets } from "#lib/kernel/secrets.ts";
import { changeStanding } from "#lib/payments/standing.ts";
import type { LeakAnswer, LeakInput } from "./schema.ts";

/** A report may quote the place where the secret was found, such as a claim link or a line of a log. */
const MOST_SECRETS = 5;
/** What is no secret is looked up all the same, so that nobody learns from the time what a report met; it needs no more than this. */
const LOOKED_UP = 100;
/** How long a report waits for a transfer that is under way. */
const MOST_WAIT = "5s";

type Leak = { kind: "management_token" | "community_key" | "claim_link"; id: string };
/** Every digest under which the secret may be stored: a use of it at the same moment may replace one by another. */
type Digests = Uint8Array<ArrayBuffer>[];

// Only what still opens something: the same report again finds nothing, and writes nothing.
const holderOf = statement<Leak>(
  "leak_holder",
  `SELECT 'management_token' AS kind, id FROM identities WHERE token_digest = ANY ($1::bytea[]) AND leaked_at IS NULL
   UNION ALL
   SELECT 'community_key', id FROM profiles WHERE key_digest = ANY ($1::bytea[]) AND key_leaked_at IS NULL
   UNION ALL
   SELECT 'claim_link', id FROM profiles WHERE claim_digest = ANY ($1::bytea[]) AND claimed_at IS NULL`,
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
    const digests = allDigests(secret);
    const [leak] = await holderOf(digests);
    if (leak) await disarm(ctx, leak, digests);
  }
  return { accepted: true };
}

async function disarm(ctx: Context, { kind, id }: Leak, digests: Digests): Promise<void> {
  await transaction(async (tx) => {
    // A key or token that was replaced meanwhile is not the one that leaked.
    const changed = await DISARM[kind](tx, id, digests, ctx.clock.now());
    if (changed === 0) return;
    await audit(tx, ctx, {
      action: "leak_reported",
      subjectKind: kind === "management_token" ? "identity" : "profile",
      subjectId: id,
      data: { secret: kind },
    });
  });
  if (kind === "management_token") await waitForTransfers(id);
}

/**
 * Transfers that are decided from now on wait; one that is under way is waited for. Unlike an administrator's hold the report
 * doesn't insist: the token is dead already, and whatever goes wrong here must not make the answer another one.
 */
async function waitForTransfers(id: string): Promise<void> {
  const waited = transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('lock_timeout', ${MOST_WAIT}, true)`;
    await changeStanding(tx, id);
  });
  await waited.catch(() => undefined);
}

type Disarm = (tx: Tx, id: string, digests: Digests, now: Date) => Promise<number>;

const DISARM: Record<Leak["kind"], Disarm> = {
  /** The identity is on hold until an administrator issues another token. */
  async management_token(tx, id, digests, now) {
    const where = { id, tokenDigest: { in: digests }, leakedAt: null };
    return (await tx.identity.updateMany({ where, data: { leakedAt: now, updatedAt: now } })).count;
  },

  async community_key(tx, id, digests, now) {
    const where = { id, keyDigest: { in: digests }, keyLeakedAt: null };
    return (await tx.profile.updateMany({ where, data: { keyLeakedAt: now } })).count;
  },

  /** The link is forgotten, like one that never was; the profile leaves the public views with it. */
  async claim_link(tx, id, digests, now) {
    const where = { id, claimDigest: { in: digests }, claimedAt: null };
    return (await tx.profile.updateMany({ where, data: { claimDigest: null, claimExpiresAt: now } })).count;
  },
};
