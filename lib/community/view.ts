import type { z } from "zod";
import { isFresh } from "#lib/identity/directory/matching.ts";
import type { OfferRow } from "#lib/identity/row.ts";
import { viewOffer } from "#lib/identity/view.ts";
import { isDomainProved } from "#lib/kernel/actor.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { PostRow, ProfileRow } from "./row.ts";
import type { KeyFacts, PostWire, ProfileWire } from "./shapes.ts";

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
    service:
      row.serviceShown && row.host !== null
        ? {
            domain: row.host,
            skills: row.skills ?? [],
            health_status: row.healthStatus ?? "offline",
            health_fresh: isFresh(row.healthReportedAt, now),
            offers: offers.map(viewOffer),
          }
        : null,
  };
}

export function viewKey({ keyCreatedAt, keyUsedAt, keyHint }: ProfileRow): z.output<typeof KeyFacts> {
  return { created_at: iso(keyCreatedAt), last_used_at: iso(keyUsedAt), hint: keyHint };
}
