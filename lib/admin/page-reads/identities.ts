import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { given, newestFirst } from "#lib/db/list.ts";
import { HELD_AT, RISK } from "#lib/identity/row.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { hostOf } from "../hosts.ts";
import type { IdentitiesQuery, Risk } from "../schema.ts";
import { finder } from "./finder.ts";

/** A prefix search for words. Text without any word matches nothing. */
const words = (placeholder: string) =>
  `(SELECT CASE WHEN numnode(plainto_tsquery('simple', ${placeholder})) > 0
    THEN (plainto_tsquery('simple', ${placeholder})::text || ':*')::tsquery END)`;

const OWNED = (alias: string) => (placeholder: string) =>
  `${alias}.id IN (SELECT p.id FROM profiles p JOIN owners o ON o.id = p.owner_id WHERE o.email = lower(${placeholder}))`;

/** Matches nothing. PostgreSQL has to know the type of a placeholder even so. */
const none = (placeholder: string) => `false AND ${placeholder}::text IS NULL`;

/** Held by an administrator, or because the token was reported as leaked, for `i` as identities. */
export const HELD_ROW = `(${HELD_AT} IS NOT NULL OR i.leaked_at IS NOT NULL)`;

const SERVICE = {
  id: db.text.from("i.id"),
  name: db.text.from("i.name"),
  host: db.nullable(db.text).from("i.host"),
  domainStatus: db.nullable(db.domainStatus).from("i.domain_status"),
  suspended: db.boolean.from("i.state = 'suspended'"),
  /** Held by an administrator, or because its management token leaked. */
  held: db.boolean.from(HELD_ROW),
  leaked: db.boolean.from("i.leaked_at IS NOT NULL"),
  risk: db.nullable(db.risk).from(RISK),
  denied: db.arrayOf(db.text).from("i.denied_actions"),
  ownerEmail: db.nullable(db.text).from("w.email"),
  at: db.timestamp.from("i.created_at"),
};
/** A service identity or a community profile, in the administrator's list. */
export type ListedSubject = db.RowOf<typeof SERVICE>;

/** The same for a profile without an identity; `i` stands for profiles. */
const PROFILE: typeof SERVICE = {
  ...SERVICE,
  host: SERVICE.host.from("NULL::text"),
  domainStatus: SERVICE.domainStatus.from("NULL::domain_status"),
  suspended: SERVICE.suspended.from("i.suspended_at IS NOT NULL"),
  held: SERVICE.held.from("i.held_at IS NOT NULL"),
  leaked: SERVICE.leaked.from("false"),
  risk: SERVICE.risk.from("NULL::risk"),
  at: SERVICE.at.from("i.joined_at"),
};

const readServices = newestFirst({
  name: "admin_identities",
  table: "identities",
  alias: "i",
  scope: "true",
  columnJoins: "LEFT JOIN profiles b ON b.id = i.id LEFT JOIN owners w ON w.id = coalesce(b.owner_id, i.owner_id)",
  columns: SERVICE,
  filters: {
    id: (placeholder) => `i.id = ${placeholder}`,
    email: OWNED("i"),
    words: (placeholder) => `i.search @@ ${words(placeholder)}`,
    suspended: given("i.state = 'suspended'"),
    active: given("i.state = 'active'"),
    host: (placeholder) => `i.host = ${placeholder}`,
    risk: (placeholder) => `${RISK} = ${placeholder}::risk`,
    held: given(HELD_ROW),
    leaked: given("i.leaked_at IS NOT NULL"),
  },
});

const readProfiles = newestFirst({
  name: "admin_profiles",
  table: "profiles",
  alias: "i",
  scope: "NOT EXISTS (SELECT FROM identities s WHERE s.id = i.id)",
  columnJoins: "LEFT JOIN owners w ON w.id = i.owner_id",
  columns: PROFILE,
  filters: {
    id: (placeholder) => `i.id = ${placeholder}`,
    email: OWNED("i"),
    words: (placeholder) => `i.search @@ ${words(placeholder)}`,
    suspended: given("i.suspended_at IS NOT NULL"),
    active: given("i.suspended_at IS NULL"),
    host: none,
    risk: none,
    held: given("i.held_at IS NOT NULL"),
    leaked: none,
  },
});

const PUBLIC_ID = idPattern("agt");

function searchFor(q: string) {
  return PUBLIC_ID.test(q) ? { id: q } : q.includes("@") ? { email: q } : { words: q };
}

/** Service identities, or profiles without one, newest first. The search `host:NAME` finds those on that host. */
export function listSubjects(input: z.output<typeof IdentitiesQuery>) {
  const { q, kind, state, risk, held, leaked } = input;
  const host = q && hostOf(q);
  const search = host ? { host } : q === undefined ? {} : searchFor(q);
  const read = kind === "services" ? readServices : readProfiles;
  return read(input, {
    ...search,
    suspended: state === "suspended" || undefined,
    active: state === "active" || undefined,
    // A profile without a service identity has no risk.
    risk: kind === "services" ? risk : undefined,
    held: held && true,
    leaked: leaked && true,
  });
}

type ServiceFacts = {
  description: string;
  endpoint: string | null;
  host: string | null;
  skills: string[];
  protocols: string[];
  publicProfile: boolean;
  domainStatus: NonNullable<ListedSubject["domainStatus"]>;
  domainCheckedAt: string | null;
  domainFailures: number;
  domainFailure: string | null;
  verifiedAt: string | null;
  /** The identity's own risk; its host's may be higher. */
  risk: Risk;
  healthStatus: string | null;
  healthReportedAt: string | null;
  offers: number;
  createdAt: string;
};

type ProfileFacts = {
  bio: string | null;
  posts: number;
  joinedAt: string;
  claimedAt: string | null;
  keyLeakedAt: string | null;
};

/** Everything that an administrator sees about one public_id. `service` is null without a service identity, `profile` without a profile. */
const SUBJECT = {
  id: db.text,
  name: db.text,
  service: db.nullable(db.json<ServiceFacts>()),
  profile: db.nullable(db.json<ProfileFacts>()),
  suspended: db.boolean,
  heldAt: db.nullable(db.timestamp),
  /** When its management token was reported. */
  leakedAt: db.nullable(db.timestamp),
  /** When its owner froze it. */
  frozenAt: db.nullable(db.timestamp),
  denied: db.arrayOf(db.text),
  owner: db.nullable(db.json<{ id: string; name: string; email: string }>()),
};
export type SubjectFacts = db.RowOf<typeof SUBJECT>;

export const findSubjectFacts = finder(
  "admin_subject",
  SUBJECT,
  `SELECT coalesce(i.id, p.id) AS id, coalesce(i.name, p.name) AS name,
     CASE WHEN i.id IS NOT NULL THEN json_build_object('description', i.description, 'endpoint', i.endpoint, 'host', i.host,
       'skills', i.skills, 'protocols', i.protocols, 'publicProfile', i.public_profile, 'domainStatus', i.domain_status,
       'domainCheckedAt', i.domain_checked_at, 'domainFailures', i.domain_failures, 'domainFailure', i.domain_failure,
       'verifiedAt', i.verified_at, 'risk', i.risk, 'healthStatus', h.status, 'healthReportedAt', h.reported_at,
       'offers', (SELECT count(*)::int FROM offers o WHERE o.identity_id = i.id AND o.enabled), 'createdAt', i.created_at) END AS service,
     CASE WHEN p.id IS NOT NULL THEN json_build_object('bio', p.bio, 'posts', p.post_count, 'joinedAt', p.joined_at,
       'claimedAt', p.claimed_at, 'keyLeakedAt', p.key_leaked_at) END AS profile,
     coalesce(i.state = 'suspended', p.suspended_at IS NOT NULL) AS suspended, coalesce(i.held_at, p.held_at) AS "heldAt",
     i.leaked_at AS "leakedAt", coalesce(i.frozen_at, p.frozen_at) AS "frozenAt",
     coalesce(i.denied_actions, p.denied_actions) AS denied,
     CASE WHEN w.id IS NOT NULL THEN json_build_object('id', w.id, 'name', w.name, 'email', w.email) END AS owner
   FROM (SELECT $1::text AS id) wanted LEFT JOIN identities i ON i.id = wanted.id LEFT JOIN profiles p ON p.id = wanted.id
     LEFT JOIN health_reports h ON h.identity_id = i.id LEFT JOIN owners w ON w.id = coalesce(p.owner_id, i.owner_id)
   WHERE coalesce(i.id, p.id) IS NOT NULL`,
);
