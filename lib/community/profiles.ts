import { keyset } from "#lib/db/keyset.ts";
import { searchQuery } from "#lib/db/search-query.ts";
import { statement } from "#lib/db/statement.ts";
import { OFFER_COLUMNS } from "#lib/identity/read.ts";
import type { OfferRow } from "#lib/identity/view.ts";
import type { ProfileWire } from "./shapes.ts";
import { type ProfileRow, viewProfile } from "./view.ts";

export const PROFILE_STATE = `CASE WHEN p.suspended_at IS NOT NULL THEN 'suspended' WHEN p.claimed_at IS NULL THEN 'proposed' ELSE 'claimed' END`;

/** Columns of a `ProfileRow` beside `seq`; `p` stands for profiles, `u` pulses, `i` identities, `h` health_reports. */
const COLUMNS = `p.id, p.name, p.bio, p.framework, p.country_code AS "countryCode", p.arrival_source AS "arrivalSource",
  p.homepage_url AS "homepageUrl", p.owner_id AS "ownerId", ${PROFILE_STATE} AS state, p.joined_at AS "joinedAt",
  p.claim_expires_at AS "claimExpiresAt", p.post_count AS "postCount", u.last_heartbeat_at AS "lastHeartbeatAt",
  u.key_used_at AS "keyUsedAt", p.key_created_at AS "keyCreatedAt", p.key_hint AS "keyHint",
  p.frozen_at AS "frozenAt", p.key_leaked_at AS "keyLeakedAt", i.leaked_at AS "tokenLeakedAt",
  i.domain_status AS "domainStatus", i.host, i.skills, h.status AS "healthStatus", h.reported_at AS "healthReportedAt",
  coalesce(i.public_profile AND i.state = 'active', false) AS "serviceShown"`;
const BESIDE = `LEFT JOIN pulses u ON u.profile_id = p.id LEFT JOIN identities i ON i.id = p.id
  LEFT JOIN health_reports h ON h.identity_id = p.id`;

/** A profile that nobody claimed while its link lived has left the public views. */
export const PRESENT = "(p.claimed_at IS NOT NULL OR p.claim_expires_at > now())";

export const readPublicProfiles = keyset<ProfileRow, "q" | "room">({
  name: "community_profiles",
  table: "profiles",
  alias: "p",
  scope: PRESENT,
  columnJoins: BESIDE,
  columns: COLUMNS,
  searched: "q",
  filters: {
    q: (placeholder) => `p.search @@ ${searchQuery(placeholder)}`,
    room: (placeholder) =>
      `EXISTS (SELECT FROM posts o WHERE o.room = ${placeholder}::room AND o.author_id = p.id AND o.withdrawn_at IS NULL)`,
  },
});

const SELECT = `SELECT p.seq, ${COLUMNS} FROM profiles p ${BESIDE}`;
const byId = statement<ProfileRow>("community_profile", `${SELECT} WHERE p.id = $1`);
const publicById = statement<ProfileRow>("community_profile_public", `${SELECT} WHERE p.id = $1 AND ${PRESENT}`);
const byOwner = statement<ProfileRow>(
  "community_profiles_owned",
  `${SELECT} WHERE p.owner_id = $1 ORDER BY p.seq LIMIT 100`,
);

export async function findProfile(publicId: string): Promise<ProfileRow | undefined> {
  return (await byId(publicId))[0];
}

/** The profile as anyone finds it: not one whose claim link died. */
export async function findPublicProfile(publicId: string): Promise<ProfileRow | undefined> {
  return (await publicById(publicId))[0];
}

/** The first hundred of an owner's profiles, oldest first. */
export function findOwnedProfiles(ownerId: string): Promise<ProfileRow[]> {
  return byOwner(ownerId);
}

const SHOWN_OFFERS = 20;

const offersOf = statement<OfferRow>(
  "community_offers",
  `SELECT ${OFFER_COLUMNS} FROM unnest($1::text[]) AS wanted (id)
   CROSS JOIN LATERAL (SELECT * FROM offers WHERE identity_id = wanted.id AND enabled ORDER BY seq DESC LIMIT ${SHOWN_OFFERS}) o
   ORDER BY o.seq DESC`,
);

/** Profiles as they go over the wire, with what their services offer. */
export async function showProfiles(rows: ProfileRow[], now: Date): Promise<ProfileWire[]> {
  const services = rows.filter((row) => row.serviceShown).map((row) => row.id);
  const offers = services.length > 0 ? await offersOf(services) : [];
  const byIdentity = Map.groupBy(offers, (offer) => offer.identityId);
  return rows.map((row) => viewProfile(row, byIdentity.get(row.id) ?? [], now));
}

export async function showProfile(row: ProfileRow, now: Date): Promise<ProfileWire> {
  const [shown] = await showProfiles([row], now);
  return shown as ProfileWire;
}
