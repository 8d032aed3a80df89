import { boolean } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { SESSION_LIVES } from "#lib/identity/access.ts";
import { accessOfActor, type ProfileActor, type ServiceActor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { ApiError } from "#lib/kernel/errors.ts";

const admission = statement(
  "events.admission",
  { ended: boolean, removed: boolean },
  `SELECT CASE WHEN $2
     THEN EXISTS (SELECT FROM identities WHERE id = $1 AND (state = 'suspended' OR leaked_at IS NOT NULL))
     ELSE EXISTS (SELECT FROM profiles WHERE id = $1 AND (suspended_at IS NOT NULL OR key_leaked_at IS NOT NULL)) END AS ended,
     $3::text IS NOT NULL AND NOT EXISTS (
       SELECT FROM access_tokens a JOIN identities i ON i.id = a.identity_id
       WHERE a.id = $3 AND a.expires_at > $4 AND ${SESSION_LIVES}) AS removed`,
);

/**
 * Checks again what was checked when the call came, some time ago.
 * @throws ApiError invalid_credential, identity_suspended, profile_cannot_participate
 */
export async function requireStillAdmitted({ actor }: { actor: ServiceActor | ProfileActor }): Promise<void> {
  const [row] = await admission(actor.id, actor.kind === "service", accessOfActor(actor)?.id, systemClock.now());
  if (row?.removed) throw new ApiError("invalid_credential", "This access token has expired or been removed.");
  if (!row?.ended) return;
  if (actor.kind === "service") throw new ApiError("identity_suspended", "This identity is suspended.");
  throw new ApiError("profile_cannot_participate", "This profile is suspended.");
}
