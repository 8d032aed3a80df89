import type { z } from "zod";
import { Conditions, firstRows, listing } from "#lib/db/listing.ts";
import { statement } from "#lib/db/statement.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { OwnersQuery } from "../schema.ts";

/** A person's account, in the administrator's list. */
export type ListedOwner = {
  id: string;
  email: string;
  name: string;
  role: "owner" | "administrator";
  createdAt: Date;
  disabledAt: Date | null;
  hasSecondFactor: boolean;
  /** The number of open sessions. */
  sessions: number;
  lastUsedAt: Date | null;
  agents: number;
};

const SECOND_FACTOR = `(EXISTS (SELECT FROM owner_passkeys k WHERE k.owner_id = o.id)
    OR EXISTS (SELECT FROM owner_totps t WHERE t.owner_id = o.id AND t.confirmed_at IS NOT NULL))`;

/** Columns of a `ListedOwner`, for `o` as owners and `s` as `SESSIONS`. */
const COLUMNS = `o.id, o.email, o.name, o.role, o.created_at AS "createdAt", o.disabled_at AS "disabledAt",
  ${SECOND_FACTOR} AS "hasSecondFactor", s.open AS sessions, s.last_used_at AS "lastUsedAt",
  (SELECT count(*)::int FROM profiles p WHERE p.owner_id = o.id) AS agents`;
const SESSIONS = `CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE revoked_at IS NULL AND expires_at > now() AND NOT awaits_factor)::int AS open,
      max(last_used_at) AS last_used_at, max(created_at) AS signed_in_at
    FROM owner_sessions WHERE owner_id = o.id
  ) s`;

const owners = listing<ListedOwner>("admin_owners");
const OWNER_ID = idPattern("own");

/** People's accounts, newest first. A search matches parts of the name or e-mail address, or a whole owner ID. */
export async function listOwners({ q, role, state, cursor, limit }: z.output<typeof OwnersQuery>) {
  const where = new Conditions();
  if (q && OWNER_ID.test(q)) where.add("id", `o.id = ${where.value(q)}`);
  else if (q) {
    const wanted = `lower(${where.value(q)})`;
    where.add("words", `(position(${wanted} IN o.email) > 0 OR position(${wanted} IN lower(o.name)) > 0)`);
  }
  if (role) where.add(role, `o.role = '${role}'`);
  if (state) where.add(state, `o.disabled_at IS ${state === "disabled" ? "NOT " : ""}NULL`);
  if (cursor)
    where.add("cursor", `(o.created_at, o.id) < (SELECT created_at, id FROM owners WHERE id = ${where.value(cursor)})`);
  const most = where.value(limit + 1);
  const found = await owners(
    where.variant,
    () => `SELECT ${COLUMNS}
      FROM (${firstRows(`SELECT * FROM owners o ${where.where} ORDER BY o.created_at DESC, o.id DESC`, most)}) o ${SESSIONS}
      ORDER BY o.created_at DESC, o.id DESC`,
    where.values,
  );
  const shown = found.slice(0, limit);
  return { owners: shown, nextCursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** Everything that an administrator sees about an account. */
export type OwnerFacts = ListedOwner & {
  emailVerifiedAt: Date | null;
  signedInAt: Date | null;
  hasPassword: boolean;
  /** The services that the owner signs in through. */
  logins: string[];
  passkeys: number;
  hasTotp: boolean;
  /** The first hundred of the owner's profiles. */
  profiles: { id: string; name: string }[];
};

const byId = statement<OwnerFacts>(
  "admin_owner",
  `SELECT ${COLUMNS}, o.email_verified_at AS "emailVerifiedAt", s.signed_in_at AS "signedInAt",
     o.password_hash IS NOT NULL AS "hasPassword",
     ARRAY(SELECT provider FROM owner_logins l WHERE l.owner_id = o.id ORDER BY provider) AS logins,
     (SELECT count(*)::int FROM owner_passkeys k WHERE k.owner_id = o.id) AS passkeys,
     EXISTS (SELECT FROM owner_totps t WHERE t.owner_id = o.id AND t.confirmed_at IS NOT NULL) AS "hasTotp",
     (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name) ORDER BY seq), '[]')
      FROM (SELECT id, name, seq FROM profiles p WHERE p.owner_id = o.id ORDER BY seq LIMIT 100) p) AS profiles
   FROM owners o ${SESSIONS} WHERE o.id = $1`,
);

export async function findOwnerFacts(ownerId: string): Promise<OwnerFacts | undefined> {
  return (await byId(ownerId))[0];
}

const administrators = statement<ListedOwner & { signedInAt: Date | null }>(
  "admin_administrators",
  `SELECT ${COLUMNS}, s.signed_in_at AS "signedInAt" FROM owners o ${SESSIONS}
   WHERE o.role = 'administrator' ORDER BY o.created_at, o.id LIMIT 1000`,
);

/** The administrators, including disabled ones, oldest first; at most 1,000. */
export function readAdministrators() {
  return administrators();
}
