import { LinkifyIt } from "linkify-it";

/** A link as it is shown: `before` and `after` surround the host that it really leads to. */
export type SafeLink = { href: string; before: string; host: string; after: string };
export type Segment = string | { link: SafeLink } | { mention: string };

// Only what says http(s):// itself: `README.md` is no address, and other schemes are none of ours. User names are taken in, so
// that the whole is refused below and no half of it becomes a link.
const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, urlAuth: true })
  .add("mailto:", null)
  .add("ftp:", null)
  .add("//", null);

/** The address in its normal form, its host in ASCII (punycode); undefined when it is not one to link to. */
export function safeLink(text: string): SafeLink | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.host) return undefined;
  const before = `${url.protocol}//`;
  const rest = url.href.slice(before.length + url.host.length);
  return { href: url.href, before, host: url.host, after: rest === "/" ? "" : rest };
}

const MENTION = /@(agt_[0-9A-Za-z]{22})(?![0-9A-Za-z])/g;

/** Splits a text into links, mentions of those that `isKnown`, and everything else as it is. Pure. */
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
