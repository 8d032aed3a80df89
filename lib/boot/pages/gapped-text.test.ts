import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { brotliForm } from "./gapped-brotli.ts";
import { gzipForm } from "./gapped-gzip.ts";
import { type Form, fill, plainForm } from "./gapped-text.ts";

const NONCE = "AAAAAAAAAAAAAAAAAAAAAA==";
const FILLER = "CCCCCCCCCCCCCCCCCCCCCC==";

const decode: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

async function compressed(texts: string[], filler = FILLER): Promise<{ br: Form; gzip: Form }> {
  const text = Buffer.from(texts.join(filler));
  const br = await brotliForm(text, filler);
  assert.ok(br);
  return { br, gzip: await gzipForm(text, filler) };
}

test("a text with gaps is the same plain and compressed, whatever is filled in", async () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => `<p>Row ${n} £ é</p>`).join("");
  for (const texts of [
    [""],
    ["no gap"],
    ["", ""],
    ["", "", ""],
    ["<script nonce=", ">a</script><script nonce=", `>${rows}</script><script nonce=`, ">b</script>"],
    ["<script nonce=", `>${rows.repeat(10)}</script><script nonce=`, ">far back</script>"],
    Array.from({ length: 200 }, () => rows.slice(0, 500)),
  ]) {
    const forms = { plain: plainForm(Buffer.from(texts.join(FILLER)), FILLER), ...(await compressed(texts)) };
    for (const filling of [NONCE, "BBBBBBBBBBBBBBBBBBBBBB==", "<p>Row 1 <p>Row 2 <p>R=="]) {
      for (const [encoding, form] of Object.entries(forms)) {
        const { bytes, release } = fill(form, filling);
        assert.equal((decode[encoding]?.(bytes) ?? bytes).toString(), texts.join(filling), encoding);
        release();
      }
    }
  }
});

test("all that a nonce can be is filled into Brotli as well", async () => {
  const script = (n: number) => `></script><script src="/${n % 3}.js" nonce=`;
  for (let turn = 0; turn < 50; turn += 1) {
    const texts = Array.from({ length: 20 }, (_, n) => script(n + turn));
    const { br } = await compressed(texts, randomBytes(16).toString("base64"));
    const filling = randomBytes(16).toString("base64");
    assert.equal(brotliDecompressSync(fill(br, filling).bytes).toString(), texts.join(filling));
  }
});

test("a text that contains what Brotli's gap is made of takes another form", async () => {
  const looksLikeGap = Array.from({ length: 8 }, (_, byte) => String.fromCharCode(byte)).join("");
  assert.equal(await brotliForm(Buffer.from(`a${FILLER}b${looksLikeGap.repeat(3)}c`), FILLER), undefined);
});

test("a text of which the compressor can make little comes out whole", { timeout: 30_000 }, async () => {
  const noise = [0, 1].map(() => randomBytes(500_000).toString("base64url"));
  for (const [encoding, form] of Object.entries(await compressed(noise))) {
    const unpacked = decode[encoding]?.(fill(form, NONCE).bytes);
    assert.ok(unpacked?.equals(Buffer.from(noise.join(NONCE))), encoding);
  }
});

test("gaps cost little: parts refer back to what came before them", async () => {
  const part = Array.from({ length: 100 }, (_, n) => `${n * 7919}`).join();
  const [one, four] = await Promise.all([[part], [part, part, part, part]].map((each) => compressed(each)));
  assert.ok(one && four);
  assert.ok(four.gzip.bytes.length < one.gzip.bytes.length * 2);
  assert.ok(four.br.bytes.length < one.br.bytes.length * 1.2);
});

test("bytes stay as they are until they are released", () => {
  const form = plainForm(Buffer.from("<|>"), "|");
  const [one, other] = [fill(form, "1"), fill(form, "2")];
  one.release();
  const third = fill(form, "3");
  assert.equal(third.bytes, one.bytes);
  assert.deepEqual(
    [third.bytes.toString(), other.bytes.toString(), fill(form, "4").bytes.toString()],
    ["<3>", "<2>", "<4>"],
  );
});

test("what is filled in must be as wide as the gaps, and for Brotli end as the filler", async () => {
  const { br, gzip } = await compressed(["a", "b"]);
  for (const form of [br, gzip]) assert.throws(() => fill(form, "short"), RangeError);
  assert.throws(() => fill(br, "A".repeat(FILLER.length)), RangeError);
});
