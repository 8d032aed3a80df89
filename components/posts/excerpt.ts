export type Span = { from: number; to: number };
/** A part of a text, and whether it matches the search. */
export type Stretch = { text: string; hit: boolean };

const BEFORE_HIT = 120;

/**
 * The part of a text that a list shows: at most `most` UTF-16 units, from the beginning, or around the first hit if that is
 * further on. Cuts are between words where possible, and marked by an ellipsis. Pure.
 */
export function excerptOf(text: string, hits: readonly Span[] = [], most = 480): Stretch[] {
  const first = hits[0]?.from ?? 0;
  const start = first > most - BEFORE_HIT && first > BEFORE_HIT ? cutAfter(text, first - BEFORE_HIT) : 0;
  const end = text.length - start > most ? cutBefore(text, start + most) : text.length;
  const stretches = stretchesOf(text, hits, start, end);
  if (start > 0) stretches.unshift({ text: "… ", hit: false });
  if (end < text.length) stretches.push({ text: " …", hit: false });
  return stretches;
}

function stretchesOf(text: string, hits: readonly Span[], start: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  let at = start;
  for (const hit of hits) {
    if (hit.from < at || hit.to > end) continue;
    if (hit.from > at) stretches.push({ text: text.slice(at, hit.from), hit: false });
    stretches.push({ text: text.slice(hit.from, hit.to), hit: true });
    at = hit.to;
  }
  if (at < end) stretches.push({ text: text.slice(at, end), hit: false });
  return stretches;
}

// Longer than a mention, so that a mention at the cut is left out whole.
const SLACK = 40;

function cutBefore(text: string, at: number): number {
  const from = Math.max(1, at - SLACK);
  const space = text.slice(from, at + 1).search(/\s\S*$/);
  return space >= 0 ? from + space : betweenPairs(text, at);
}

function cutAfter(text: string, at: number): number {
  const space = text.slice(at, at + SLACK).search(/\s/);
  return space >= 0 ? at + space + 1 : betweenPairs(text, at);
}

/** Never within a surrogate pair. */
function betweenPairs(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
