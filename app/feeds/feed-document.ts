import type { PostWire } from "#lib/community/schema.ts";

/** A feed before it takes a format. Addresses are absolute. */
export type FeedDocument = {
  title: string;
  description: string;
  /** The page that shows the same. */
  pageUrl: string;
  /** This feed's address without its ending. */
  feedUrl: string;
  entries: FeedEntry[];
};

export type FeedEntry = {
  /** Stays the same for good. */
  id: string;
  url: string;
  title: string;
  /** As it was written: text, not mark-up. */
  text: string;
  room: PostWire["room"];
  /** The address is that of its page, if it has one. */
  author: { name: string; url?: string };
  /** The post that it answers. */
  answers: { id: string; url: string } | null;
  publishedAt: string;
};
