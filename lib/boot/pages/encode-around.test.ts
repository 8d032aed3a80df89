import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { compressGapped, fill, fillGzip } from "./encode-around.ts";

const NONCE = "AAAAAAAAAAAAAAAAAAAAAA==";
const FILLER = "CCCCCCCCCCCCCCCCCCCCCC==";
const gappedOf = (texts: string[], filler = FILLER) => compressGapped(Buffer.from(texts.join(filler)), filler);

test("a text with gaps is the same plain and compressed, whatever is filled in", async () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => `<p>Row ${n} £ é</p>`).join("");
  for (const texts of [
    [""],
    ["no gap"],
    ["", ""],
    ["<script nonce=", ">a</script><script nonce=", `>${rows}</script><script nonce=`, ">b</script>"],
    Array.from({ length: 200 }, () => rows.slice(0, 500)),
  ]) {
    const gapped = await gappedOf(texts);
    for (const filling of [NONCE, "BBBBBBBBBBBBBBBBBBBBBB==", "<p>Row 1 <p>Row 2 <p>Row"]) {
      const [plain, gzip] = [fill(gapped, filling), fillGzip(gapped, filling)];
      assert.equal(plain.bytes.toString(), texts.join(filling));
      assert.equal(gunzipSync(gzip.bytes).toString(), plain.bytes.toString());
      plain.release();
      gzip.release();
    }
  }
});

test("a text of which the compressor can make little comes out whole", { timeout: 30_000 }, async () => {
  const noise = [0, 1].map(() => randomBytes(500_000).toString("base64url"));
  const gapped = await gappedOf(noise);
  assert.ok(gunzipSync(fillGzip(gapped, NONCE).bytes).equals(Buffer.from(noise.join(NONCE))));
});

test("gaps cost little: parts refer back to what came before them", async () => {
  const part = Array.from({ length: 100 }, (_, n) => `${n * 7919}`).join();
  const [one, four] = await Promise.all([[part], [part, part, part, part]].map((each) => gappedOf(each)));
  const [alone = 0, together = 0] = [one, four].map((gapped) => gapped && fillGzip(gapped, NONCE).bytes.length);
  assert.ok(together < alone * 2);
});

test("bytes stay as they are until they are released", async () => {
  const gapped = await gappedOf(["<", ">"], "|");
  const [one, other] = [fill(gapped, "1"), fill(gapped, "2")];
  one.release();
  const third = fill(gapped, "3");
  assert.equal(third.bytes, one.bytes);
  assert.deepEqual(
    [third.bytes.toString(), other.bytes.toString(), fill(gapped, "4").bytes.toString()],
    ["<3>", "<2>", "<4>"],
  );
});

test("what is filled in must be as wide as the gaps", async () => {
  const gapped = await gappedOf(["a", "b"]);
  for (const encode of [fill, fillGzip]) assert.throws(() => encode(gapped, "short"), RangeError);
});
