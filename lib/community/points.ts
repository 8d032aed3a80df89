/** Where a list is read: newest first; with `after`, oldest first; with both, what lies between, oldest first. */
export type Point = { before?: number | undefined; after?: number | undefined; limit: number };

/**
 * Cuts a list that was read there with one row more than asked for, into the page and the points around it.
 * `next_after` never skips anything: whoever polls from it sees every later entry once. An empty page by choice (`limit` 0)
 * stays where it was; without any point, that is at the newest entry.
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
