import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { byAge, given, listBy } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { OwnersQuery } from "../schema.ts";
import { finder } from "./finder.ts";

const SECOND_FACTOR = `(EXISTS (SELECT FROM owner_passkeys k WHERE k.owner_id = o.id)
    OR EXISTS (SELECT FROM owner_totps t WHERE t.owner_id = o.id AND t.confirmed_at IS NOT NULL))`;

/** A person's account, in the administrator's list; `o` stands for owners, `s` for what `SESSIONS` counts. */
const OWNER = {
  id: db.text.from("o.id"),
  email: db.text.from("o.email"),
  name: db.text.from("o.name"),
  role: db.ownerRole.from("o.role"),
  createdAt: db.timestamp.from("o.created_at"),
  disabledAt: db.nullable(db.timestamp).from("o.disabled_at"),
  hasSecondFactor: db.boolean.from(SECOND_FACTOR),
  /** The number of open sessions. */
  sessions: db.integer.from("s.open"),
  lastUsedAt: db.nullable(db.timestamp).from("s.last_used_at"),
  agents: db.integer.from("(SELECT count(*)::int FROM profiles p WHERE p.owner_id = o.id)"),
};
export type ListedOwner = db.RowOf<typeof OWNER>;
const SESSIONS = `CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE revoked_at IS NULL AND expires_at > now() AND NOT awaits_factor)::int AS open,
      max(last_used_at) AS last_used_at, max(created_at) AS signed_in_at
    FROM owner_sessions WHERE owner_id = o.id
  ) s`;

const contains = (text: string, placeholder: string) => `position(lower(${placeholder}) IN ${text}) > 0`;

const owners = listBy(
  {
    name: "admin_owners",
    table: "owners",
    alias: "o",
    scope: "true",
    columnJoins: SESSIONS,
    columns: OWNER,
    filters: {
      id: (placeholder) => `o.id = ${placeholder}`,
      words: (placeholder) => `${contains("o.email", placeholder)} OR ${contains("lower(o.name)", placeholder)}`,
      role: (placeholder) => `o.role = ${placeholder}::owner_role`,
      active: given("o.disabled_at IS NULL"),
      disabled: given("o.disabled_at IS NOT NULL"),
    },
  },
  { ...byAge("owners"), ascending: false },
);
const OWNER_ID = idPattern("own");

/** People's accounts, newest first. A search matches parts of the name or e-mail address, or a whole owner ID. */
export function listOwners({ q, role, state, ...point }: z.output<typeof OwnersQuery>) {
  const search = q === undefined ? {} : OWNER_ID.test(q) ? { id: q } : { words: q };
  return owners(point, {
    ...search,
    role,
    active: state === "active" || undefined,
    disabled: state === "disabled" || undefined,
  });
}

/** Everything that an administrator sees about an account. */
const OWNER_FACTS = {
  ...OWNER,
  emailVerifiedAt: db.nullable(db.timestamp).from("o.email_verified_at"),
  signedInAt: db.nullable(db.timestamp).from("s.signed_in_at"),
  hasPassword: db.boolean.from("o.password_hash IS NOT NULL"),
  /** The services that the owner signs in through. */
  logins: db
    .arrayOf(db.text)
    .from("ARRAY(SELECT provider FROM owner_logins l WHERE l.owner_id = o.id ORDER BY provider)"),
  passkeys: db.integer.from("(SELECT count(*)::int FROM owner_passkeys k WHERE k.owner_id = o.id)"),
  hasTotp: db.boolean.from("EXISTS (SELECT FROM owner_totps t WHERE t.owner_id = o.id AND t.confirmed_at IS NOT NULL)"),
  /** The first hundred of the owner's profiles. */
  profiles: db
    .json<{ id: string; name: string }[]>()
    .from(`(SELECT coalesce(json_agg(json_build_object('id', id, 'name', name) ORDER BY seq), '[]')
      FROM (SELECT id, name, seq FROM profiles p WHERE p.owner_id = o.id ORDER BY seq LIMIT 100) p)`),
};
export type OwnerFacts = db.RowOf<typeof OWNER_FACTS>;

export const findOwnerFacts = finder(
  "admin_owner",
  OWNER_FACTS,
  `SELECT ${db.select(OWNER_FACTS)} FROM owners o ${SESSIONS} WHERE o.id = $1`,
);

const ADMINISTRATOR = { ...OWNER, signedInAt: OWNER_FACTS.signedInAt };
/** The administrators, including disabled ones, oldest first; at most 1,000. */
export const readAdministrators = statement(
  "admin_administrators",
  ADMINISTRATOR,
  `SELECT ${db.select(ADMINISTRATOR)} FROM owners o ${SESSIONS}
   WHERE o.role = 'administrator' ORDER BY o.created_at, o.id LIMIT 1000`,
);
