import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { seal, unseal } from "#lib/kernel/keys.ts";
import { allDigests, digestSecret } from "#lib/kernel/secrets.ts";

// What the authorization server keeps. The IDs of most records are secrets (codes, refresh tokens), so only their digests are stored,
// and the rest is encrypted. Sessions and access tokens are not kept here: owners have sessions of their own, and access tokens are
// those of `access_tokens`.

const store = statement(
  "oauth.store",
  {},
  `INSERT INTO oauth_records (model, digest, payload, connection_id, expires_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (model, digest) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
);
const RECORD = {
  payload: db.bytea,
  consumedAt: db.nullable(db.timestamp).from("consumed_at"),
};
const read = statement(
  "oauth.read",
  RECORD,
  `SELECT payload, consumed_at AS "consumedAt" FROM oauth_records WHERE model = $1 AND digest = ANY ($2::bytea[]) AND expires_at > $3`,
);
// One use wins, in any process.
const use = statement(
  "oauth.use",
  { used: db.integer },
  `WITH used AS (
     UPDATE oauth_records SET consumed_at = $3 WHERE model = $1 AND digest = ANY ($2::bytea[]) AND consumed_at IS NULL RETURNING 1)
   SELECT count(*)::int AS used FROM used`,
);
const remove = statement(
  "oauth.remove",
  {},
  "DELETE FROM oauth_records WHERE model = $1 AND digest = ANY ($2::bytea[])",
);

type Payload = Record<string, unknown>;

/** Records copied to another place cannot be opened there. */
const owner = (model: string, id: string) => `oauth ${model} ${id}`;

export async function storeRecord(
  model: string,
  id: string,
  payload: Payload,
  { expiresIn, connectionId }: { expiresIn: number; connectionId: string | null },
): Promise<void> {
  const sealed = seal(Buffer.from(JSON.stringify(payload)), owner(model, id));
  await store(model, digestSecret(id), sealed, connectionId, secondsAfter(systemClock.now(), expiresIn));
}

/** A record as it was stored; undefined if there is none, or it has expired. */
export async function findRecord(model: string, id: string): Promise<Payload | undefined> {
  const [row] = await read(model, allDigests(id), systemClock.now());
  const plain = row && unseal(row.payload, owner(model, id));
  if (!plain) return undefined;
  const consumed = row.consumedAt ? { consumed: Math.floor(row.consumedAt.getTime() / 1_000) } : {};
  return { ...(JSON.parse(plain.toString()) as Payload), ...consumed };
}

/** @returns whether this was the first use */
export async function takeRecord(model: string, id: string): Promise<boolean> {
  const [row] = await use(model, allDigests(id), systemClock.now());
  return row?.used === 1;
}

export async function removeRecord(model: string, id: string): Promise<void> {
  await remove(model, allDigests(id));
}
