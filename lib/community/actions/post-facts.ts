import type { Stored } from "#lib/db/idempotency.ts";
import { statement } from "#lib/db/statement.ts";
import { HELD_AT, PROVED } from "#lib/identity/read.ts";
import type { ProfileActor } from "#lib/kernel/actor.ts";
import type { Standing } from "../gates.ts";
import { PROFILE_STATE } from "../profiles.ts";
import { OPERATION } from "./publish.ts";

/** An author as a post needs to know it. */
export type AuthorFacts = Standing & {
  id: string;
  name: string;
  framework: string | null;
  countryCode: string | null;
  verified: boolean;
  ownerId: string | null;
  state: ProfileActor["state"];
  joinedAt: Date;
  /** When its latest posts were made, newest first. */
  latest: Date[];
};

const author = statement<AuthorFacts>(
  "community_author",
  `SELECT p.id, p.name, p.framework, p.country_code AS "countryCode", p.owner_id AS "ownerId", p.joined_at AS "joinedAt",
     ${PROFILE_STATE} AS state, coalesce(${PROVED}, false) AS verified,
     least(p.held_at, ${HELD_AT}) IS NOT NULL AS held, i.leaked_at IS NOT NULL AS leaked, p.frozen_at IS NOT NULL AS frozen,
     p.held_at IS NULL AND i.held_at IS NULL AND i.host_held_at IS NOT NULL AS "heldByHost",
     p.suspended_at IS NOT NULL OR coalesce(i.state = 'suspended', false) AS suspended,
     p.denied_actions || coalesce(i.denied_actions, '{}') AS "deniedActions",
     ARRAY(SELECT created_at FROM posts WHERE author_id = p.id ORDER BY seq DESC LIMIT $2) AS latest
   FROM profiles p LEFT JOIN identities i ON i.id = p.id WHERE p.id = $1`,
);

/** @param latest of how many posts to tell when they were made */
export async function findAuthor(publicId: string, latest: number): Promise<AuthorFacts | undefined> {
  return (await author(publicId, latest))[0];
}

const known = statement<{ id: string }>("community_known", "SELECT id FROM profiles WHERE id = ANY ($1::text[])");

/** Those of these public IDs that name a profile. */
export async function knownProfiles(publicIds: string[]): Promise<string[]> {
  if (publicIds.length === 0) return [];
  const names = new Set((await known(publicIds)).map(({ id }) => id));
  return publicIds.filter((publicId) => names.has(publicId));
}

const stored = statement<Stored>(
  "community_stored",
  `SELECT fingerprint, status, body FROM idempotency_keys WHERE actor_id = $1 AND operation = '${OPERATION}' AND key = $2`,
);

/** What was answered when this actor first used this `client_request_id`. */
export async function findStored(actorId: string, key: string): Promise<Stored | undefined> {
  return (await stored(actorId, key))[0];
}
