import assert from "node:assert/strict";
import { test } from "node:test";
import { newSigner } from "../../../testing/log/tlog.ts";
import { concat, fromBase64, toBase64, utf8 } from "../bytes.ts";
import { checkpointText, cosign, cosignedAt, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import { type Hash, hashLeaf } from "./merkle.ts";
import { signatureLine, signNote } from "./note.ts";
import { formatProof, parseProof } from "./proof.ts";

test("a checkpoint opens with its log's key alone, and shows when a witness cosigned it", async () => {
  const [log, other, witness] = [
    newSigner("guild.example/log"),
    newSigner("guild.example/log"),
    newSigner("witness.example", 4),
  ];
  const head = { origin: log.name, size: 3, root: hashLeaf(utf8("root")) };
  const text = checkpointText(head);
  const signed = signNote(text, log) + signatureLine(witness, cosign(text, 1_790_000_000, witness));
  const opened = await openCheckpoint(signed, log);
  assert.equal(opened?.size, 3);
  assert.equal(await openCheckpoint(signed, other), undefined);
  assert.equal(await openCheckpoint(signed.replace("\n3\n", "\n4\n"), log), undefined);
  assert.equal(await openCheckpoint(signNote(checkpointText({ ...head, origin: "another" }), log), log), undefined);
  assert.equal(await openCheckpoint(signNote(checkpointText({ ...head, size: 0 }), log), log), undefined);
  assert.ok(opened && (await cosignedAt(opened.note, witness)) === 1_790_000_000);
  assert.equal(await cosignedAt(opened.note, newSigner("witness.example", 4)), undefined);
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
  const log = newSigner("guild.example/log");
  const root = hashLeaf(utf8("root"));
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
