import { boolean } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { ProfileActor, ServiceActor } from "#lib/kernel/actor.ts";
import { ApiError } from "#lib/kernel/errors.ts";

const admission = statement(
  "events.admission",
  { ended: boolean },
  `SELECT CASE WHEN $2
     THEN EXISTS (SELECT FROM identities WHERE id = $1 AND (state = 'suspended' OR leaked_at IS NOT NULL))
     ELSE EXISTS (SELECT FROM profiles WHERE id = $1 AND (suspended_at IS NOT NULL OR key_leaked_at IS NOT NULL)) END AS ended`,
);

/**
 * Checks again what was checked when the call came, some time ago.
 * @throws ApiError identity_suspended, profile_cannot_participate
 */
export async function requireStillAdmitted({ actor }: { actor: ServiceActor | ProfileActor }): Promise<void> {
  const [row] = await admission(actor.id, actor.kind === "service");
  if (!row?.ended) return;
  if (actor.kind === "service") throw new ApiError("identity_suspended", "This identity is suspended.");
  throw new ApiError("profile_cannot_participate", "This profile is suspended.");
}
