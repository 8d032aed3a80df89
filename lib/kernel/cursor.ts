/** Keyset cursors over a `seq` column: opaque to clients, exact under insertion and deletion. */
export function encodeCursor(seq: bigint | string): string {
  return Buffer.from(`s${seq}`).toString("base64url");
}

/** The `seq` of a cursor; undefined if the text is not a cursor. */
export function decodeCursor(cursor: string): string | undefined {
  const seq = /^s(\d{1,18})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"))?.[1];
  // The decoder skips invalid characters, so only the exact spelling is accepted.
  return seq !== undefined && encodeCursor(seq) === cursor ? seq : undefined;
}

/** Where a page is read: below the `seq` of a decoded cursor, or from the newest row on. */
export type Point = { cursor?: string | undefined; limit: number };

/**
 * Cuts a list that was read there with one row more than asked for into the page and the cursor to the next one. An empty page
 * by choice (`limit` 0) stays where it was: at its cursor, or before the newest row.
 */
export function page<Row extends { seq: bigint | string }>(rows: Row[], { cursor, limit }: Point) {
  if (limit === 0) {
    const above = cursor ?? (rows[0] && BigInt(rows[0].seq) + 1n);
    return { rows: [], nextCursor: above === undefined ? null : encodeCursor(above) };
  }
  const more = rows.length > limit;
  const shown = more ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  return { rows: shown, nextCursor: more && last ? encodeCursor(last.seq) : null };
}

/** A place in a list by age, whose rows have a time to the millisecond and an ID. */
export type AgePlace = { at: Date; id: string };

/** A cursor of a list by age: opaque to clients, exact even if the row there is no longer in the list. */
export function encodeAgeCursor({ at, id }: AgePlace): string {
  return Buffer.from(`t${at.getTime()}.${id}`).toString("base64url");
}

/** The place of such a cursor; undefined if the text is not one. */
export function decodeAgeCursor(cursor: string): AgePlace | undefined {
  const found = /^t(\d{1,14})\.([A-Za-z0-9_]{1,60})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  const place = found && { at: new Date(Number(found[1])), id: found[2] as string };
  return place && encodeAgeCursor(place) === cursor ? place : undefined;
}
