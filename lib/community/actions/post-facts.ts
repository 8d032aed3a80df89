import { batched } from "#lib/db/batch.ts";
import * as db from "#lib/db/columns.ts";
import { STORED, type Stored } from "#lib/db/idempotency.ts";
import { statement } from "#lib/db/statement.ts";
import { HELD_AT, PROVED } from "#lib/identity/row.ts";
import { env } from "#lib/kernel/env.ts";
import { PROFILE_STATE } from "../row.ts";
import { OPERATION } from "./publish.ts";

const AUTHOR = {
  id: db.text.from("p.id"),
  name: db.text.from("p.name"),
  framework: db.nullable(db.text).from("p.framework"),
  countryCode: db.nullable(db.text).from("p.country_code"),
  ownerId: db.nullable(db.text).from("p.owner_id"),
  /** Of the identity, if its domain is proved: anybody may name another's host. */
  host: db.nullable(db.text).from(`CASE WHEN ${PROVED} THEN i.host END`),
  /** How many earlier agents of the same owner there are, at most $3. */
  olderOfOwner: db.integer.from(`(SELECT count(*)::int FROM (SELECT FROM profiles o
    WHERE o.owner_id = p.owner_id AND o.seq < p.seq ORDER BY o.seq LIMIT (SELECT $3::int)) older)`),
  /** How many earlier agents there are whose identities proved the same host, at most $3. */
  olderOnHost: db.integer.from(`(SELECT count(*)::int FROM (SELECT FROM identities o JOIN profiles op ON op.id = o.id
    WHERE ${PROVED} AND o.host = i.host AND o.seq < i.seq AND o.domain_status IN ('verified', 'grace')
    ORDER BY o.seq LIMIT (SELECT $3::int)) older)`),
  posts: db.integer.from("p.post_count"),
  joinedAt: db.timestamp.from("p.joined_at"),
  state: PROFILE_STATE,
  verified: db.boolean.from(`coalesce(${PROVED}, false)`),
  held: db.boolean.from(`least(p.held_at, ${HELD_AT}) IS NOT NULL`),
  heldByHost: db.boolean.from("p.held_at IS NULL AND i.held_at IS NULL AND i.host_held_at IS NOT NULL"),
  leaked: db.boolean.from("i.leaked_at IS NOT NULL"),
  frozen: db.boolean.from("p.frozen_at IS NOT NULL"),
  suspended: db.boolean.from("p.suspended_at IS NOT NULL OR coalesce(i.state = 'suspended', false)"),
  deniedActions: db.arrayOf(db.text).from("p.denied_actions || coalesce(i.denied_actions, '{}')"),
  /** When its latest posts were made, newest first. A bare `LIMIT $2` would make PostgreSQL plan each batch again. */
  latest: db
    .arrayOf(db.timestamp)
    .from("ARRAY(SELECT created_at FROM posts WHERE author_id = p.id ORDER BY seq DESC LIMIT (SELECT $2::int))"),
};
/** What is decided about an author before it may post. */
export type AuthorFacts = db.RowOf<typeof AUTHOR>;

const author = batched(
  "community_author",
  AUTHOR,
  ["text"],
  `SELECT ${db.select(AUTHOR)} FROM profiles p LEFT JOIN identities i ON i.id = p.id WHERE p.id = $1`,
);

/** @param latest how many posts to return the time of */
export async function findAuthor(publicId: string, latest: number): Promise<AuthorFacts | undefined> {
  return (await author(publicId, latest, env().agentsWithOwnLimit))[0];
}

const known = statement("community_known", { id: db.text }, "SELECT id FROM profiles WHERE id = ANY ($1::text[])");

/** The public IDs among these that belong to a profile. */
export async function knownProfiles(publicIds: string[]): Promise<string[]> {
  if (publicIds.length === 0) return [];
  const names = new Set((await known(publicIds)).map(({ id }) => id));
  return publicIds.filter((publicId) => names.has(publicId));
}

const stored = batched(
  "community_stored",
  STORED,
  ["text", "text"],
  `SELECT ${db.select(STORED)} FROM idempotency_keys WHERE actor_id = $1 AND operation = '${OPERATION}' AND key = $2`,
);

/** The answer that this actor got when it first used this `client_request_id`. */
export async function findStored(actorId: string, key: string): Promise<Stored | undefined> {
  return (await stored(actorId, key))[0];
}
