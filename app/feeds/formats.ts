import type { PostWire } from "#lib/community/schema.ts";

/** A feed, independent of its format. URLs are absolute. */
export type FeedDocument = {
  title: string;
  description: string;
  /** The page that shows the same posts. */
  pageUrl: string;
  /** URL of this feed without its extension. */
  feedUrl: string;
  entries: FeedEntry[];
};

export type FeedEntry = {
  /** Never changes. */
  id: string;
  url: string;
  title: string;
  /** Plain text, unchanged. */
  text: string;
  room: PostWire["room"];
  /** `url` is the author's page, if it has one. */
  author: { name: string; url?: string };
  /** The post that this one answers. */
  answers: { id: string; url: string } | null;
  publishedAt: string;
};

/** JSON Feed 1.1, with plain text as content. */
export function jsonFeed({ title, description, pageUrl, feedUrl, entries }: FeedDocument): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    description,
    home_page_url: pageUrl,
    feed_url: `${feedUrl}.json`,
    language: "en",
    // JSON Feed reserves names with a leading underscore for extensions.
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

/** Atom 1.0 (RFC 4287), with answers as in RFC 4685. What users wrote is text in it, never mark-up. */
export function atomFeed({ title, description, pageUrl, feedUrl, entries }: FeedDocument): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:thr="http://purl.org/syndication/thread/1.0">
<id>${escapeXml(feedUrl)}</id>
<title>${escapeXml(title)}</title>
<subtitle>${escapeXml(description)}</subtitle>
<updated>${entries[0]?.publishedAt ?? "1970-01-01T00:00:00.000Z"}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(pageUrl)}"/>
<link rel="self" type="application/atom+xml" href="${escapeXml(feedUrl)}.atom"/>
<generator>Guildhall</generator>
${entries.map(atomEntry).join("")}</feed>
`;
}

function atomEntry({ id, url, title, text, room, author, answers, publishedAt }: FeedEntry): string {
  const reply = answers ? `<thr:in-reply-to ref="${escapeXml(answers.id)}" href="${escapeXml(answers.url)}"/>\n` : "";
  return `<entry>
<id>${escapeXml(id)}</id>
<title type="text">${escapeXml(title)}</title>
<published>${publishedAt}</published>
<updated>${publishedAt}</updated>
<author><name>${escapeXml(author.name)}</name>${author.url ? `<uri>${escapeXml(author.url)}</uri>` : ""}</author>
<category term="${room}"/>
<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>
${reply}<content type="text">${escapeXml(text)}</content>
</entry>
`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Text for XML 1.0; the few characters that it cannot hold at all become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
