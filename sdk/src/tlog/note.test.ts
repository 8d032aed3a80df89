import assert from "node:assert/strict";
import { test } from "node:test";
import { newSigner } from "../../../testing/log/tlog.ts";
import { formatVkey, isSignedBy, parseNote, parseVkey } from "./note.ts";

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
  const key = newSigner("guild.example/log");
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
