import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesFrom, Tree } from "../../../testing/log/tlog.ts";
import { fc } from "../../../testing/seed.ts";
import { utf8 } from "../bytes.ts";
import { edgeTiles, entriesIn, entryBundle, parseTilePath, TILE_WIDTH, tilePath, tileWidth } from "./tiles.ts";

test("a tree has the same tiles however it was grown, and full tiles never change", () => {
  const total = 3_000;
  const all = entriesFrom(0, total);
  const [atOnce, inSteps] = [new Tree(), new Tree()];
  atOnce.append(all);
  const sizes = fc.sample(fc.integer({ min: 1, max: 600 }), 100);
  for (let at = 0; at < total; ) {
    const before = new Map(inSteps.stored);
    const more = all.slice(at, at + (sizes[at % sizes.length] as number));
    inSteps.append(more);
    at += more.length;
    for (const [key, { hashes }] of before)
      if (hashes.length === TILE_WIDTH * 32) assert.equal(inSteps.stored.get(key)?.hashes, hashes, key);
  }
  assert.deepEqual(inSteps.stored, atOnce.stored);
  for (const tile of atOnce.stored.values()) assert.equal(tile.hashes.length, tileWidth(tile, total) * 32);
  // The example of c2sp.org/tlog-tiles.
  const edge = edgeTiles(70_000).map((tile) => [tile.level, tile.index, tileWidth(tile, 70_000)]);
  assert.deepEqual(edge, [
    [0, 273, 112],
    [1, 1, 17],
    [2, 0, 1],
  ]);
});

test("a tile has one path, and other paths name nothing", () => {
  assert.equal(tilePath({ level: 0, index: 1_234_067, width: 256 }), "tile/0/x001/x234/067");
  assert.equal(tilePath({ level: "entries", index: 5, width: 8 }), "tile/entries/005.p/8");
  fc.assert(
    fc.property(
      fc.constantFrom<number | "entries">("entries", 0, 1, 6, 63),
      fc.integer({ min: 0, max: 2 ** 40 }),
      fc.integer({ min: 1, max: 256 }),
      (level, index, width) => {
        assert.deepEqual(parseTilePath(tilePath({ level, index, width })), { level, index, width });
      },
    ),
  );
  for (const path of [
    "tile/00/001",
    "tile/0/1",
    "tile/0/x000/001",
    "tile/0/001.p/0",
    "tile/0/001.p/256",
    "tile/0/001.p/08",
    "tile/0/001.p/",
    "tile/0/x001",
    "tile/entries/001/",
    "/tile/0/001",
    "tile/-1/001",
    "tile/0/001?",
    "tile/0/x1/001",
    "tile/0/0001",
    `tile/0/${"x999/".repeat(8)}999`,
  ])
    assert.equal(parseTilePath(path), undefined, path);
});

test("an entry bundle gives its entries back", () => {
  const entries = [utf8("one"), new Uint8Array(), new Uint8Array(300).fill(7)];
  assert.deepEqual(entriesIn(entryBundle(entries)), entries);
  assert.equal(entriesIn(entryBundle(entries).subarray(0, -1)), undefined);
  assert.equal(entriesIn(Uint8Array.of(0)), undefined);
});
