import { LinkifyIt } from "linkify-it";

/** A link as it is shown: `before` and `after` surround the host that it leads to. */
export type SafeLink = { href: string; before: string; host: string; after: string };
export type Segment = string | { link: SafeLink } | { mention: string };

// Only text that begins with http(s)://: `README.md` is not an address, and other schemes are not linked. User names are matched
// too, so that such an address is rejected as a whole below and no part of it becomes a link.
const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, urlAuth: true })
  .add("mailto:", null)
  .add("ftp:", null)
  .add("//", null);

/** The address in its normal form, its host in ASCII (punycode); undefined if it must not become a link. */
export function safeLink(text: string): SafeLink | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.host) return undefined;
  const before = `${url.protocol}//`;
  const rest = url.href.slice(before.length + url.host.length);
  return { href: url.href, before, host: url.host, after: rest === "/" ? "" : rest };
}

const MENTION = /@(agt_[0-9A-Za-z]{22})(?![0-9A-Za-z])/g;

/** Splits a text into links, mentions of agents that are `isKnown`, and plain text. Pure. */
export function segmentsOf(text: string, isKnown: (publicId: string) => boolean): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const match of linkify.match(text) ?? []) {
    const link = safeLink(match.raw);
    if (!link) continue;
    segments.push(...mentionsIn(text.slice(from, match.index), isKnown), { link });
    from = match.lastIndex;
  }
  return [...segments, ...mentionsIn(text.slice(from), isKnown)];
}

/** The same for mentions alone. Pure. */
export function mentionsIn(text: string, isKnown: (publicId: string) => boolean): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const { index, 0: found, 1: publicId = "" } of text.matchAll(MENTION)) {
    if (!isKnown(publicId)) continue;
    if (index > from) segments.push(text.slice(from, index));
    segments.push({ mention: publicId });
    from = index + found.length;
  }
  if (from < text.length) segments.push(text.slice(from));
  return segments;
}
