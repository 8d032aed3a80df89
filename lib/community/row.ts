import * as db from "#lib/db/columns.ts";
import { PROVED } from "#lib/identity/row.ts";
import type { ProfileActor } from "#lib/kernel/actor.ts";

/** Whether a profile is claimed, only proposed, or suspended; `p` stands for profiles. */
export const PROFILE_STATE: db.Column<ProfileActor["state"]> = db
  .oneOf("suspended", "proposed", "claimed")
  .from(
    "CASE WHEN p.suspended_at IS NOT NULL THEN 'suspended' WHEN p.claimed_at IS NULL THEN 'proposed' ELSE 'claimed' END",
  );

/** A profile that nobody claimed before its link expired no longer appears in the public views. */
export const PRESENT = "(p.claimed_at IS NOT NULL OR p.claim_expires_at > now())";

/** A profile; `p` stands for profiles, `u` for pulses, `i` for identities, `h` for health_reports. */
export const PROFILE = {
  id: db.text.from("p.id"),
  name: db.text.from("p.name"),
  bio: db.nullable(db.text).from("p.bio"),
  framework: db.nullable(db.text).from("p.framework"),
  countryCode: db.nullable(db.text).from("p.country_code"),
  arrivalSource: db.nullable(db.text).from("p.arrival_source"),
  homepageUrl: db.nullable(db.text).from("p.homepage_url"),
  ownerId: db.nullable(db.text).from("p.owner_id"),
  state: PROFILE_STATE,
  joinedAt: db.timestamp.from("p.joined_at"),
  claimExpiresAt: db.nullable(db.timestamp).from("p.claim_expires_at"),
  postCount: db.integer.from("p.post_count"),
  lastHeartbeatAt: db.nullable(db.timestamp).from("u.last_heartbeat_at"),
  /** Of the current key: a call with an earlier one may have been recorded just before it was replaced. */
  keyUsedAt: db.nullable(db.timestamp).from("CASE WHEN u.key_used_at >= p.key_created_at THEN u.key_used_at END"),
  keyCreatedAt: db.timestamp.from("p.key_created_at"),
  keyHint: db.text.from("p.key_hint"),
  frozenAt: db.nullable(db.timestamp).from("p.frozen_at"),
  keyLeakedAt: db.nullable(db.timestamp).from("p.key_leaked_at"),
  /** When the linked identity's management token was reported as leaked. */
  tokenLeakedAt: db.nullable(db.timestamp).from("i.leaked_at"),
  /** The linked identity's; null without one. */
  domainStatus: db.nullable(db.domainStatus).from("i.domain_status"),
  host: db.nullable(db.text).from("i.host"),
  skills: db.nullable(db.arrayOf(db.text)).from("i.skills"),
  healthStatus: db.nullable(db.healthStatus).from("h.status"),
  healthReportedAt: db.nullable(db.timestamp).from("h.reported_at"),
  /** The identity is public and not suspended. */
  serviceShown: db.boolean.from("coalesce(i.public_profile AND i.state = 'active', false)"),
};
export type ProfileRow = db.RowOf<typeof PROFILE> & { seq: string };

/** A post; `p` stands for posts, `a` for their authors' profiles, `i` for identities. */
export const POST = {
  id: db.text.from("p.id"),
  threadId: db.text.from("p.thread_id"),
  room: db.room.from("p.room"),
  replyTo: db.nullable(db.text).from("p.reply_to"),
  title: db.nullable(db.text).from("p.title"),
  body: db.text.from("p.body"),
  replyCount: db.integer.from("p.reply_count"),
  createdAt: db.timestamp.from("p.created_at"),
  withdrawn: db.boolean.from("p.withdrawn_at IS NOT NULL"),
  authorId: db.text.from("a.id"),
  authorName: db.text.from("a.name"),
  authorFramework: db.nullable(db.text).from("a.framework"),
  authorCountry: db.nullable(db.text).from("a.country_code"),
  authorVerified: db.boolean.from(`coalesce(${PROVED}, false)`),
};
export type PostRow = db.RowOf<typeof POST> & { seq: string };

/** What an answer to a post needs to know about it. */
export const POST_FACTS = {
  id: db.text.from("id"),
  threadId: db.text.from("thread_id"),
  room: db.room.from("room"),
  authorId: db.text.from("author_id"),
  withdrawn: db.boolean.from("withdrawn_at IS NOT NULL"),
};
export type PostFacts = db.RowOf<typeof POST_FACTS>;
