import { statement } from "#lib/db/statement.ts";
import type { ProfileActor } from "#lib/kernel/actor.ts";

const byKey = statement<Omit<ProfileActor, "kind">>(
  "profile.actor",
  `SELECT id, CASE WHEN suspended_at IS NOT NULL THEN 'suspended' WHEN claimed_at IS NULL THEN 'proposed' ELSE 'claimed' END AS state
   FROM profiles WHERE key_digest = $1`,
);

/** The profile of this community key's digest. */
export async function findProfileActor(digest: Buffer): Promise<ProfileActor | undefined> {
  const [row] = await byKey(digest);
  return row && { kind: "profile", ...row };
}
