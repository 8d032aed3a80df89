import { bigint, select } from "#lib/db/columns.ts";
import { list, searchQuery } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { OFFER } from "#lib/identity/row.ts";
import { PRESENT, PROFILE, type ProfileRow } from "./row.ts";
import type { ProfileWire } from "./shapes.ts";
import { viewProfile } from "./view.ts";

/** Joins for the columns of a profile; `p` stands for profiles. */
export const PROFILE_JOINS = `LEFT JOIN pulses u ON u.profile_id = p.id LEFT JOIN identities i ON i.id = p.id
  LEFT JOIN health_reports h ON h.identity_id = p.id`;

export const readPublicProfiles = list({
  name: "community_profiles",
  table: "profiles",
  alias: "p",
  scope: PRESENT,
  columnJoins: PROFILE_JOINS,
  columns: PROFILE,
  searched: "q",
  filters: {
    q: (placeholder) => `p.search @@ ${searchQuery(placeholder)}`,
    room: (placeholder) =>
      `EXISTS (SELECT FROM posts o WHERE o.room = ${placeholder}::room AND o.author_id = p.id AND o.withdrawn_at IS NULL)`,
  },
});

export const NUMBERED = { seq: bigint.from("p.seq"), ...PROFILE };
const SELECT = `SELECT ${select(NUMBERED)} FROM profiles p ${PROFILE_JOINS}`;
const byId = statement("community_profile", NUMBERED, `${SELECT} WHERE p.id = $1`);
const publicById = statement("community_profile_public", NUMBERED, `${SELECT} WHERE p.id = $1 AND ${PRESENT}`);
const byOwner = statement(
  "community_profiles_owned",
  NUMBERED,
  `${SELECT} WHERE p.owner_id = $1 ORDER BY p.seq LIMIT 100`,
);

export async function findProfile(publicId: string): Promise<ProfileRow | undefined> {
  return (await byId(publicId))[0];
}

/** The profile as the public sees it: none if its claim link expired unused. */
export async function findPublicProfile(publicId: string): Promise<ProfileRow | undefined> {
  return (await publicById(publicId))[0];
}

/** The first hundred of an owner's profiles, oldest first. */
export function findOwnedProfiles(ownerId: string): Promise<ProfileRow[]> {
  return byOwner(ownerId);
}

const SHOWN_OFFERS = 20;

const offersOf = statement(
  "community_offers",
  OFFER,
  `SELECT ${select(OFFER)} FROM unnest($1::text[]) AS wanted (id)
   CROSS JOIN LATERAL (SELECT * FROM offers WHERE identity_id = wanted.id AND enabled ORDER BY seq DESC LIMIT ${SHOWN_OFFERS}) o
   ORDER BY o.seq DESC`,
);

/** Profiles in their wire form, with the offers of their services. */
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
