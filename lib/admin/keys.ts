import { audit } from "#lib/db/audit.ts";
import { integer, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { newAuthSecret, replaceSecret } from "#lib/kernel/files/secret-file.ts";
import { keysFor, versionOf } from "#lib/kernel/keys.ts";
import { IDLE_SECONDS } from "#lib/owners/sessions/session.ts";
import type { AdminContext } from "./context.ts";

/** How many credentials of a kind depend on which secret. */
type Counts = {
  current: number;
  /** By the version of each secret in `AUTH_SECRET_PREVIOUS`. */
  previous: Record<string, number>;
  /** Stored before digests had a version, under the `AUTH_SECRET` at that time. */
  without_version: number;
  /** Under a secret that is not configured: they no longer work. */
  unknown: number;
};

// Only credentials that still work. $2 is now; $3 is the earliest last use of a session that has not timed out.
const KINDS = {
  management_tokens: ["token_digest", "identities"],
  access_tokens: ["digest", "access_tokens WHERE expires_at > $2"],
  connected_programs: ["digest", "oauth_records WHERE expires_at > $2"],
  community_keys: ["key_digest", "profiles"],
  claim_links: [
    "claim_digest",
    "profiles WHERE claim_digest IS NOT NULL AND claimed_at IS NULL AND claim_expires_at > $2",
  ],
  sessions: ["id_digest", "owner_sessions WHERE revoked_at IS NULL AND expires_at > $2 AND last_used_at > $3"],
  recovery_codes: ["digest", "owner_recovery_codes WHERE used_at IS NULL"],
  authenticator_apps: ["secret", "owner_totps"],
  webhook_secrets: ["secret", "webhooks"],
  notification_addresses: ["address", "owner_channels"],
} as const;

// One statement, so that all counts are consistent. It reads whole tables or indexes.
const countAll = statement(
  "admin.keys",
  { kind: text, under: text, count: integer },
  Object.entries(KINDS)
    .map(
      ([kind, [column, rows]]) =>
        `SELECT '${kind}' AS kind, CASE
           WHEN length(${column}) = 32 THEN 'without_version'
           WHEN substring(${column} FROM 1 FOR 4) = ANY ($1::bytea[]) THEN encode(substring(${column} FROM 1 FOR 4), 'hex')
           ELSE 'unknown' END AS under, count(*)::int AS count
         FROM ${rows} GROUP BY under`,
    )
    .join(" UNION ALL "),
);

/** How many stored credentials depend on each secret, so that the operator knows when to remove a previous one. */
export async function readKeys() {
  const [current, ...rest] = keysFor("credential digest").map(({ version }) => version.toString("hex"));
  const previous = [...new Set(rest)].filter((version) => version !== current);
  const versions = [current, ...previous].map((version) => Buffer.from(version ?? "", "hex"));
  const now = systemClock.now();
  const rows = await countAll(versions, now, secondsAfter(now, -IDLE_SECONDS));
  const count = (kind: string, under: string | undefined) =>
    rows.find((row) => row.kind === kind && row.under === under)?.count ?? 0;
  const credentials = Object.fromEntries(
    Object.keys(KINDS).map((kind): [string, Counts] => [
      kind,
      {
        current: count(kind, current),
        previous: Object.fromEntries(previous.map((version) => [version, count(kind, version)])),
        without_version: count(kind, "without_version"),
        unknown: count(kind, "unknown"),
      },
    ]),
  );
  // A digest without a version may depend on any secret, so while one exists, no secret can be removed.
  const inUse = new Set(rows.map(({ under }) => under));
  const unneeded = inUse.has("without_version") ? [] : previous.filter((version) => !inUse.has(version));
  return { current, previous, credentials, no_longer_needed: unneeded };
}

/**
 * Replaces the secret in `DATA_DIR`. Stored credentials stay valid: from the next start, the old secret is accepted as a
 * previous one.
 * @throws ApiError state_conflict when the secret comes from the environment, or too many previous ones are kept
 */
export async function rotateSecret(ctx: AdminContext, { reason }: { reason: string }) {
  const secret = newAuthSecret();
  const version = versionOf(secret).toString("hex");
  const { file, previous } = await transaction(async (tx) => {
    await audit(tx, ctx, { action: "rotate_secret", subjectKind: "secret", subjectId: version, reason });
    return replaceSecret(secret);
  });
  return {
    file,
    current: version,
    previous: previous.map((each) => versionOf(each).toString("hex")),
    next_step: "Restart every process that uses this folder now. Until then they use the old secret.",
  };
}
