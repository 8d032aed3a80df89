import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import { fc } from "../../../lib/testing/seed.ts";
import { concat, fromBase64, fromHex, toBase64, toHex, utf8 } from "../bytes.ts";
import { checkpointText, cosign, cosignedAt, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
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
import {
  formatVkey,
  isSignedBy,
  keyId,
  parseNote,
  parseVkey,
  SIGNATURE_TYPES,
  type Signer,
  signatureLine,
  signNote,
} from "./note.ts";
import { formatProof, parseProof } from "./proof.ts";
import {
  appendEntries,
  edgeTiles,
  entriesIn,
  entryBundle,
  type GrownTile,
  parseTilePath,
  TILE_WIDTH,
  Tiles,
  tilePath,
  tilesOf,
  tileWidth,
} from "./tiles.ts";

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

/** A tree in memory, grown by batches of these sizes, as its tiles. */
class Tree {
  size = 0;
  readonly stored = new Map<string, GrownTile>();

  append(entries: readonly Uint8Array[]): void {
    const edge = edgeTiles(this.size).flatMap((tile) => this.stored.get(`${tile.level}/${tile.index}`) ?? []);
    for (const tile of appendEntries(this.size, edge, entries)) this.stored.set(`${tile.level}/${tile.index}`, tile);
    this.size += entries.length;
  }

  /** Only the tiles that these ranges need, as a server or a client would read them. */
  tiles(...ranges: { start: number; end: number }[]): Tiles {
    const tiles = new Tiles();
    for (const name of tilesOf(ranges))
      tiles.set(name, (this.stored.get(`${name.level}/${name.index}`) as GrownTile).hashes);
    return tiles;
  }

  root(size = this.size): Hash {
    return this.tiles({ start: 0, end: size }).root(size);
  }
}

const entriesFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, at) => utf8(`entry ${start + at}`));

test("trees have the roots of the reference tests of Certificate Transparency", () => {
  const tree = new Tree();
  assert.equal(toHex(EMPTY_ROOT), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  LEAVES.forEach((leaf, index) => {
    tree.append([leaf]);
    assert.equal(toHex(tree.root()), ROOTS[index]);
    assert.equal(toHex(foldTree(LEAVES.slice(0, index + 1).map(hashLeaf))), ROOTS[index]);
  });
});

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

function rawPublicKey(key: KeyObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32));
}

function signer(name: string, type: number = SIGNATURE_TYPES.note): Signer {
  const { privateKey } = generateKeyPairSync("ed25519");
  const publicKey = rawPublicKey(privateKey);
  return {
    name,
    type,
    publicKey,
    id: keyId(name, type, publicKey),
    sign: (message) => sign(null, message, privateKey),
  };
}

test("the example of the signed-note specification verifies, and with any change it does not", async () => {
  const key = parseVkey("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
  assert.ok(key);
  const text =
    "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
  const note = parseNote(text);
  assert.ok(note && (await isSignedBy(note, key)));
  for (let at = 0; at < text.length; at += 1) {
    const bent = parseNote(`${text.slice(0, at)}${text[at] === "x" ? "y" : "x"}${text.slice(at + 1)}`);
    assert.ok(!bent || !(await isSignedBy(bent, key)), `with position ${at} changed`);
  }
});

test("a note without a last line feed, with control characters, or with a signature that is no signature, is none", () => {
  const signed = "text\n\n— name AAAAAAA=\n";
  assert.ok(parseNote(signed));
  for (const text of [
    signed.slice(0, -1),
    `${signed}\n`,
    signed.replace("text", "te\txt"),
    signed.replace("text", "\ud800"),
    signed.replace("—", "-"),
    signed.replace("name", "na+me"),
    signed.replace("AAAAAAA=", "AAAAAA=="),
    "text\n",
    "text\n\n",
    "",
    `text\n\n${"— name AAAAAAA=\n".repeat(65)}`,
  ])
    assert.equal(parseNote(text), undefined, JSON.stringify(text));
});

test("a verifier key is read back, and one whose ID does not fit is refused", () => {
  const key = signer("guild.example/log");
  const { sign: _, ...vkey } = key;
  assert.deepEqual(parseVkey(formatVkey(key)), vkey);
  for (const text of [
    formatVkey({ ...key, id: "00000000" }),
    `${formatVkey(key)} `,
    formatVkey(key).slice(0, -2),
    "",
    "a+b",
  ])
    assert.equal(parseVkey(text), undefined, text);
});

test("a checkpoint opens with its log's key alone, and shows when a witness cosigned it", async () => {
  const [log, other, witness] = [
    signer("guild.example/log"),
    signer("guild.example/log"),
    signer("witness.example", 4),
  ];
  const head = { origin: log.name, size: 3, root: fromHex(ROOTS[2] as string) as Hash };
  const text = checkpointText(head);
  const signed = signNote(text, log) + signatureLine(witness, cosign(text, 1_790_000_000, witness));
  const opened = await openCheckpoint(signed, log);
  assert.equal(opened?.size, 3);
  assert.equal(await openCheckpoint(signed, other), undefined);
  assert.equal(await openCheckpoint(signed.replace("\n3\n", "\n4\n"), log), undefined);
  assert.equal(await openCheckpoint(signNote(checkpointText({ ...head, origin: "another" }), log), log), undefined);
  assert.equal(await openCheckpoint(signNote(checkpointText({ ...head, size: 0 }), log), log), undefined);
  assert.ok(opened && (await cosignedAt(opened.note, witness)) === 1_790_000_000);
  assert.equal(await cosignedAt(opened.note, signer("witness.example", 4)), undefined);
  assert.equal(await cosignedAt(opened.note, log), undefined);
  for (const bent of [
    text.replace("\n3\n", "\n03\n"),
    text.replace("\n3\n", "\n-1\n"),
    `${text}\n`,
    text.slice(text.indexOf("\n") + 1),
  ])
    assert.equal(parseCheckpoint(signNote(bent, log)), undefined, bent);
});

test("a proof text is read back, and one that is not to the letter is refused", () => {
  const log = signer("guild.example/log");
  const root = fromHex(ROOTS[6] as string) as Hash;
  const checkpoint = signNote(checkpointText({ origin: log.name, size: 7, root }), log);
  const hashes = [hashLeaf(utf8("a")), hashLeaf(utf8("b"))];
  const text = formatProof({ index: 5, hashes, checkpointText: checkpoint });
  const { checkpoint: parsed, ...rest } = parseProof(text) ?? assert.fail();
  assert.deepEqual(rest, { index: 5, hashes, checkpointText: checkpoint });
  assert.equal(toBase64(parsed.root), toBase64(root));
  assert.deepEqual(parseProof(text.replace("index", "extra AAAA\nindex"))?.extra, fromBase64("AAAA"));
  for (const bent of [
    text.replace("@v1", "@v2"),
    text.replace("index 5", "index 05"),
    text.replace("index 5", "index"),
    text.replace("index 5\n", ""),
    text.replace(toBase64(hashes[0] as Hash), "AAAA"),
    text.replace("\n\n", "\n"),
    text.replace("index", "extra A\nindex"),
    text.slice(0, -1),
    text.replace("index 5\n", `index 5\n${`${toBase64(root)}\n`.repeat(62)}`),
  ])
    assert.equal(parseProof(bent), undefined, bent);
  assert.deepEqual(concat(utf8("a"), utf8("b")), utf8("ab"));
});
