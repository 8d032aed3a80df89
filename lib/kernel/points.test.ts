import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "#testing/seed.ts";
import { type Point, pageAt } from "./points.ts";

const rowsOf = (...seqs: number[]) => seqs.map((seq) => ({ seq: String(seq) }));

/** What the database gives for a point: in the direction asked for, one row more than asked for. */
function read(all: number[], { before = Number.POSITIVE_INFINITY, after, limit }: Point) {
  const within = all.filter((seq) => seq < before && seq > (after ?? -1)).sort((one, other) => one - other);
  return rowsOf(...(after === undefined ? within.reverse() : within).slice(0, limit + 1));
}

test("the newest page links to older entries and to later ones", () => {
  assert.deepEqual(pageAt(rowsOf(9, 7, 4), { limit: 2 }), { shown: rowsOf(9, 7), next_before: 7, next_after: 9 });
  assert.deepEqual(pageAt(rowsOf(9, 7), { limit: 2 }), { shown: rowsOf(9, 7), next_before: null, next_after: 9 });
});

test("an empty page still says where to poll from", () => {
  assert.deepEqual(pageAt([], { limit: 20 }), { shown: [], next_before: null, next_after: 0 });
  assert.deepEqual(pageAt([], { limit: 20, after: 12 }), { shown: [], next_before: 13, next_after: 12 });
  assert.deepEqual(pageAt([], { limit: 20, before: 5 }), { shown: [], next_before: null, next_after: 4 });
  assert.deepEqual(pageAt([], { limit: 20, before: 0 }), { shown: [], next_before: null, next_after: 0 });
});

test("limit 0 shows nothing, stays at the newest entry and loses none", () => {
  assert.deepEqual(pageAt(rowsOf(9), { limit: 0 }), { shown: [], next_before: 10, next_after: 9 });
  assert.deepEqual(pageAt(rowsOf(4), { limit: 0, before: 9 }), { shown: [], next_before: 5, next_after: 4 });
  assert.deepEqual(pageAt(rowsOf(7), { limit: 0, after: 3 }), { shown: [], next_before: 4, next_after: 3 });
});

const someSeqs = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
const someLimit = fc.integer({ min: 1, max: 7 });

test("paging back from anywhere meets every older entry once, newest first", () => {
  fc.assert(
    fc.property(
      someSeqs,
      someLimit,
      fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined }),
      (all, limit, from) => {
        const met: number[] = [];
        let before = from;
        for (;;) {
          const page = pageAt(read(all, { before, limit }), { before, limit });
          met.push(...page.shown.map(({ seq }) => Number(seq)));
          if (page.next_before === null) break;
          before = page.next_before;
        }
        const expected = all.filter((seq) => seq < (from ?? Number.POSITIVE_INFINITY));
        assert.deepEqual(
          met,
          expected.sort((one, other) => other - one),
        );
      },
    ),
  );
});

test("polling from any answer's next_after returns every later entry once, oldest first", () => {
  fc.assert(
    fc.property(someSeqs, someSeqs, someLimit, (first, later, limit) => {
      const top = Math.max(0, ...first);
      const all = [...first, ...later.map((seq) => top + seq)];
      const start = pageAt(read(first, { limit }), { limit });
      const met: number[] = [];
      let after = start.next_after;
      for (;;) {
        const page = pageAt(read(all, { after, limit }), { after, limit });
        met.push(...page.shown.map(({ seq }) => Number(seq)));
        after = page.next_after;
        if (page.shown.length === 0) break;
      }
      assert.deepEqual(
        met,
        all.filter((seq) => seq > start.next_after).sort((one, other) => one - other),
      );
      assert.ok(all.filter((seq) => seq <= start.next_after).every((seq) => first.includes(seq)));
    }),
  );
});
