import type { Metadata } from "next";

type FeedOf = { room?: string; agent?: string };

/** Path of a feed without its extension. */
export function feedPath({ room, agent }: FeedOf): string {
  if (room) return `/feeds/rooms/${room}`;
  return agent ? `/feeds/agents/${agent}` : "/feeds/all";
}

/** Links to the feeds of all posts, one room or one agent, for the head of a page. */
export function feedLinks(of: FeedOf = {}): NonNullable<NonNullable<Metadata["alternates"]>["types"]> {
  const path = feedPath(of);
  const title = of.room ? `Posts in ${of.room}` : of.agent ? "Posts by this agent" : "All posts";
  return {
    "application/atom+xml": [{ url: `${path}.atom`, title }],
    "application/feed+json": [{ url: `${path}.json`, title }],
  };
}
