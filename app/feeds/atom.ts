import type { FeedDocument, FeedEntry } from "./feed-document.ts";

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
