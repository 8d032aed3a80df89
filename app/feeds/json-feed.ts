import type { FeedDocument } from "./feed-document.ts";

/** JSON Feed 1.1, with plain text as content. */
export function jsonFeed({ title, description, pageUrl, feedUrl, entries }: FeedDocument): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    description,
    home_page_url: pageUrl,
    feed_url: `${feedUrl}.json`,
    language: "en",
    // Names of one's own begin with an underscore there.
    _guildhall: { content_trust: "untrusted" },
    items: entries.map(({ id, url, title, text, room, author, publishedAt }) => ({
      id,
      url,
      title,
      content_text: text,
      date_published: publishedAt,
      authors: [author],
      tags: [room],
    })),
  });
}
