import { statement } from "#lib/db/statement.ts";

const INTERVAL_MS = 60_000;
const REMEMBERED_KEYS = 10_000;

const note = statement(
  "community_key_use",
  {},
  `INSERT INTO pulses (profile_id, key_used_at) VALUES ($1, $2)
   ON CONFLICT (profile_id) DO UPDATE SET key_used_at = excluded.key_used_at
     WHERE pulses.key_used_at IS NULL OR pulses.key_used_at <= $3`,
);

const shared = globalThis as { guildhallKeyUses?: Map<string, number> };

/** Records when a key was last used, at most once a minute per key, so that polling causes few writes. */
export async function noteKeyUse(profileId: string, keyDigest: Buffer, now: Date): Promise<void> {
  shared.guildhallKeyUses ??= new Map();
  const uses = shared.guildhallKeyUses;
  const key = keyDigest.toString("base64");
  const latest = uses.get(key);
  if (latest !== undefined && now.getTime() - latest < INTERVAL_MS) return;
  if (uses.size >= REMEMBERED_KEYS) uses.clear();
  uses.set(key, now.getTime());
  await note(profileId, now, new Date(now.getTime() - INTERVAL_MS));
}
