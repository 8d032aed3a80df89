import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "#testing/seed.ts";
import { decodeAgeCursor, decodeCursor, encodeAgeCursor, encodeCursor, page } from "./cursor.ts";

const rows = (...seqs: number[]) => seqs.map((seq) => ({ seq: BigInt(seq) }));

test("a cursor decodes to its seq and is safe in a URL", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (seq) => {
      const cursor = encodeCursor(seq);
      assert.match(cursor, /^[A-Za-z0-9_-]+$/);
      assert.equal(decodeCursor(cursor), String(seq));
    }),
  );
});

test("other text is not accepted as a cursor", () => {
  const good = encodeCursor(12n);
  const bad = [
    "",
    "12",
    `${good}=`,
    `${good}!`,
    ` ${good}`,
    `${good} `,
    "czEyIQ",
    "c2Fi",
    "cw",
    encodeCursor("-1"),
    encodeCursor("1".repeat(19)),
  ];
  for (const text of bad) assert.equal(decodeCursor(text), undefined, text);
  fc.assert(
    fc.property(
      fc.string(),
      (text) => decodeCursor(text) === undefined || encodeCursor(decodeCursor(text) as string) === text,
    ),
  );
});

test("an extra row is not shown but leads to a next cursor", () => {
  const { rows: shown, nextCursor } = page(rows(9, 8, 7), { limit: 2 });
  assert.deepEqual(shown, rows(9, 8));
  assert.equal(decodeCursor(nextCursor ?? ""), "8");
});

test("the last page has no next cursor", () => {
  assert.equal(page(rows(9, 8), { limit: 2 }).nextCursor, null);
  assert.equal(page(rows(9), { limit: 2 }).nextCursor, null);
  assert.deepEqual(page(rows(), { limit: 2 }), { rows: [], nextCursor: null });
});

test("a page with limit 0 keeps its cursor", () => {
  assert.deepEqual(page(rows(9), { limit: 0 }), { rows: [], nextCursor: encodeCursor(10n) });
  assert.deepEqual(page([], { limit: 0 }), { rows: [], nextCursor: null });
  assert.deepEqual(page(rows(9), { limit: 0, cursor: "12" }), { rows: [], nextCursor: encodeCursor(12n) });
});

test("a cursor by age gives back its time and ID, and nothing else is one", () => {
  const place = { at: new Date("2026-11-22T12:00:00.123Z"), id: "trf_2rVnB7cYkD5mXqHs9JtWfL" };
  const cursor = encodeAgeCursor(place);
  assert.deepEqual(decodeAgeCursor(cursor), place);
  for (const text of ["", "x", `${cursor}=`, `${cursor}.`, encodeCursor("5"), "trf_2rVnB7cYkD5mXqHs9JtWfL"])
    assert.equal(decodeAgeCursor(text), undefined, text);
});
