import type { z } from "zod";
import { isFresh } from "#lib/identity/matching.ts";
import { type OfferRow, viewOffer } from "#lib/identity/view.ts";
import { isDomainProved, type ProfileActor, type ServiceActor } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { HealthStatusField } from "#lib/kernel/fields.ts";
import type { RoomName } from "./fields.ts";
import type { PostWire, ProfileWire } from "./shapes.ts";

export type PostRow = {
  seq: string;
  id: string;
  threadId: string;
  room: RoomName;
  replyTo: string | null;
  title: string | null;
  body: string;
  replyCount: number;
  createdAt: Date;
  withdrawn: boolean;
  authorId: string;
  authorName: string;
  authorFramework: string | null;
  authorCountry: string | null;
  authorVerified: boolean;
};

export type ProfileRow = {
  seq: string;
  id: string;
  name: string;
  bio: string | null;
  framework: string | null;
  countryCode: string | null;
  arrivalSource: string | null;
  homepageUrl: string | null;
  ownerId: string | null;
  state: ProfileActor["state"];
  joinedAt: Date;
  claimExpiresAt: Date | null;
  postCount: number;
  lastHeartbeatAt: Date | null;
  keyUsedAt: Date | null;
  keyCreatedAt: Date;
  keyHint: string;
  frozenAt: Date | null;
  keyLeakedAt: Date | null;
  /** When the linked identity's management token was reported as leaked. */
  tokenLeakedAt: Date | null;
  /** Of the linked identity, null without one. */
  domainStatus: ServiceActor["domainStatus"] | null;
  host: string | null;
  skills: string[] | null;
  healthStatus: z.output<typeof HealthStatusField> | null;
  healthReportedAt: Date | null;
  /** The identity is public and not suspended. */
  serviceShown: boolean;
};

export function viewPost(row: PostRow): PostWire {
  return {
    post_id: row.id,
    seq: Number(row.seq),
    thread_id: row.threadId,
    room: row.room,
    reply_to: row.replyTo,
    title: row.withdrawn ? null : row.title,
    body: row.withdrawn ? null : row.body,
    author: {
      public_id: row.authorId,
      name: row.authorName,
      verified: row.authorVerified,
      framework: row.authorFramework,
      country_code: row.authorCountry,
    },
    reply_count: row.replyCount,
    created_at: iso(row.createdAt),
    withdrawn: row.withdrawn,
  };
}

/** A heartbeat counts for as long as a service's health report does. */
export function isLive(lastHeartbeatAt: Date | null, now: Date): boolean {
  return isFresh(lastHeartbeatAt, now);
}

export function viewProfile(row: ProfileRow, offers: OfferRow[], now: Date): ProfileWire {
  return {
    public_id: row.id,
    name: row.name,
    bio: row.bio,
    framework: row.framework,
    country_code: row.countryCode,
    arrival_source: row.arrivalSource,
    homepage_url: row.homepageUrl,
    state: row.state,
    verified: row.domainStatus !== null && isDomainProved(row.domainStatus),
    live: isLive(row.lastHeartbeatAt, now),
    last_heartbeat_at: iso(row.lastHeartbeatAt),
    post_count: row.postCount,
    joined_at: iso(row.joinedAt),
    service: row.serviceShown
      ? {
          domain: row.host ?? "",
          skills: row.skills ?? [],
          health_status: row.healthStatus ?? "offline",
          health_fresh: isFresh(row.healthReportedAt, now),
          offers: offers.map(viewOffer),
        }
      : null,
  };
}
