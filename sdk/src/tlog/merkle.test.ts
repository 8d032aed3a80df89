import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesFrom, Tree } from "../../../testing/log/tlog.ts";
import { fc } from "../../../testing/seed.ts";
import { fromHex, toHex, utf8 } from "../bytes.ts";
import {
  consistencyRanges,
  EMPTY_ROOT,
  foldTree,
  type Hash,
  hashLeaf,
  inclusionRanges,
  verifyConsistency,
  verifyInclusion,
} from "./merkle.ts";

/** Leaves and roots of the reference tests of Certificate Transparency. */
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map(
  (hex) => fromHex(hex) as Hash,
);
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

test("trees have the roots of the reference tests of Certificate Transparency", () => {
  const tree = new Tree();
  assert.equal(toHex(EMPTY_ROOT), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  LEAVES.forEach((leaf, index) => {
    tree.append([leaf]);
    assert.equal(toHex(tree.root()), ROOTS[index]);
    assert.equal(toHex(foldTree(LEAVES.slice(0, index + 1).map(hashLeaf))), ROOTS[index]);
  });
});

test("a proof of inclusion holds for its leaf, and for no other place, tree or hash", () => {
  const tree = new Tree();
  tree.append(entriesFrom(0, 600));
  const places = fc
    .integer({ min: 1, max: 600 })
    .chain((size) => fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.constant(size)));
  fc.assert(
    fc.property(places, fc.nat(), ([index, size], choice) => {
      const ranges = inclusionRanges(index, size);
      const proof = tree.tiles(...ranges).hashesOf(ranges);
      const root = tree.root(size);
      const leaf = hashLeaf(utf8(`entry ${index}`));
      assert.ok(verifyInclusion(leaf, index, size, proof, root));
      assert.ok(!verifyInclusion(hashLeaf(utf8("another")), index, size, proof, root));
      if (size > 1) assert.ok(!verifyInclusion(leaf, (index + 1) % size, size, proof, root));
      assert.ok(!verifyInclusion(leaf, index, size, [...proof, root], root));
      assert.ok(!verifyInclusion(leaf, index, size, proof.slice(1), root) || proof.length === 0);
      if (proof.length === 0) return;
      const bent = proof.map((hash) => hash.slice());
      (bent[choice % bent.length] as Hash)[choice % 32] =
        ((bent[choice % bent.length] as Hash)[choice % 32] as number) ^ 1;
      assert.ok(!verifyInclusion(leaf, index, size, bent, root));
    }),
    { numRuns: 60 },
  );
  assert.ok(!verifyInclusion(EMPTY_ROOT, 0, 0, [], EMPTY_ROOT));
  assert.ok(!verifyInclusion(EMPTY_ROOT, -1, 1, [], EMPTY_ROOT));
});

test("a proof of consistency holds between two sizes of one tree, and not for a rewritten one", () => {
  const [tree, rewritten] = [new Tree(), new Tree()];
  tree.append(entriesFrom(0, 400));
  rewritten.append([utf8("rewritten"), ...entriesFrom(1, 399)]);
  const sizes = fc
    .integer({ min: 0, max: 400 })
    .chain((size) => fc.tuple(fc.integer({ min: 0, max: size }), fc.constant(size)));
  fc.assert(
    fc.property(sizes, ([from, to]) => {
      const ranges = consistencyRanges(from, to);
      const proof = tree.tiles(...ranges).hashesOf(ranges);
      const older = { size: from, root: tree.root(from) };
      const newer = { size: to, root: tree.root(to) };
      assert.ok(verifyConsistency(older, newer, proof));
      assert.ok(!verifyConsistency(older, newer, [...proof, EMPTY_ROOT]));
      if (from > 0) {
        assert.ok(!verifyConsistency({ size: from, root: rewritten.root(from) }, newer, proof));
        assert.ok(!verifyConsistency(older, { size: to, root: rewritten.root(to) }, proof));
      }
      if (from < to && from > 0) assert.ok(!verifyConsistency(newer, older, proof));
      if (proof.length > 0) assert.ok(!verifyConsistency(older, newer, proof.slice(0, -1)));
    }),
    { numRuns: 60 },
  );
});
