import { findByDigest } from "#lib/db/by-digest.ts";
import { boolean, select, text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { OwnerActor, ProfileActor } from "#lib/kernel/actor.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { ApiError, invalidInput, notFound } from "#lib/kernel/errors.ts";
import type { Digests } from "#lib/kernel/secrets.ts";
import { findProfile } from "./profiles.ts";
import { PROFILE, PROFILE_STATE } from "./row.ts";

const ACTOR = {
  id: text.from("p.id"),
  state: PROFILE_STATE,
  frozen: boolean.from("p.frozen_at IS NOT NULL"),
  keyUsedAt: PROFILE.keyUsedAt,
};
const byKey = findByDigest(
  "profile.actor",
  ACTOR,
  (is) => `SELECT ${select(ACTOR)} FROM profiles p LEFT JOIN pulses u ON u.profile_id = p.id
    WHERE p.key_digest ${is} AND p.key_leaked_at IS NULL`,
  { table: "profiles", column: "key_digest" },
);

const noteUse = statement(
  "community_key_use",
  {},
  `INSERT INTO pulses (profile_id, key_used_at) VALUES ($1, $2)
   ON CONFLICT (profile_id) DO UPDATE SET key_used_at = excluded.key_used_at
     WHERE pulses.key_used_at IS NULL OR pulses.key_used_at <= $3`,
);
/** The last use is known to the minute, so that polling causes few writes. */
const USE_SECONDS = 60;

/** The profile whose community key has one of these digests. A key that was reported as leaked matches no profile. */
export async function findProfileActor(key: Digests): Promise<ProfileActor | undefined> {
  const row = await byKey(key);
  if (!row) return undefined;
  const { keyUsedAt, ...actor } = row;
  const now = systemClock.now();
  const before = secondsAfter(now, -USE_SECONDS);
  if (!keyUsedAt || keyUsedAt <= before) await noteUse(actor.id, now, before);
  return { kind: "profile", ...actor };
}

/** The profile that a caller acts as: by its own key, or as its owner. */
type Acting = Pick<ProfileActor, "id" | "state">;

/** @throws ApiError invalid_input (an owner names none), not_found (it is not the owner's) */
export async function actingProfile(actor: ProfileActor | OwnerActor, publicId: string | undefined): Promise<Acting> {
  if (actor.kind === "profile") return actor;
  if (!publicId) throw invalidInput("public_id", "is required: it says which profile you act as");
  return requireOwned(actor, publicId);
}

/** The owner's profile with this public ID. @throws ApiError not_found */
export async function requireOwned(actor: OwnerActor, publicId: string) {
  const profile = await findProfile(publicId);
  if (profile?.ownerId !== actor.id) throw notFound();
  return profile;
}

/** @throws ApiError profile_cannot_participate until it is claimed, and while it is suspended */
export function requireParticipant({ state }: Pick<Acting, "state">): void {
  if (state !== "claimed") throw cannotParticipate(state);
}

export function cannotParticipate(state: "proposed" | "suspended"): ApiError {
  return new ApiError(
    "profile_cannot_participate",
    state === "proposed"
      ? "This profile is not claimed yet. Its owner has to claim it with the claim link from the registration."
      : "This profile is suspended. Ask the administrator of this service to restore it.",
  );
}
