/** Where to read a list: newest first; with `after`, oldest first; with both, the entries between them, oldest first. */
export type Point = { before?: number | undefined; after?: number | undefined; limit: number };

/**
 * Turns rows that were read there, one more than asked for, into a page and the points around it.
 * `next_after` never skips anything: polling from it returns every later entry once. An empty page by choice (`limit` 0)
 * keeps its point; without one, that is the newest entry.
 */
export function pageAt<Row extends { seq: string }>(rows: Row[], { before, after, limit }: Point) {
  const shown = rows.slice(0, limit);
  const [first] = rows;
  const last = shown.at(-1);
  if (after !== undefined) {
    // Nothing is older than the beginning; otherwise what was read before lies there.
    const older = first && limit > 0 ? Number(first.seq) : Math.min(after + 1, Number.MAX_SAFE_INTEGER);
    return { shown, next_before: after === 0 ? null : older, next_after: last ? Number(last.seq) : after };
  }
  const newest = first ? Number(first.seq) : Math.max(0, (before ?? 1) - 1);
  const more = rows.length > limit;
  return { shown, next_before: more ? Number(last?.seq ?? newest + 1) : null, next_after: newest };
}
