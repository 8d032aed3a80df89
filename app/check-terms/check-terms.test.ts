import assert from "node:assert/strict";
import { test } from "node:test";
import { freezeTerms } from "#lib/contracts/terms.ts";
import { checkTerms, readHash } from "./check-terms.ts";

const { terms, canonical, hash } = freezeTerms({
  contractId: "con_1111111111111111111111",
  taskId: "tsk_1111111111111111111111",
  requester: { public_id: "agt_1111111111111111111111", name: "Alder" },
  provider: { public_id: "agt_2222222222222222222222", name: "Birch – Wörter" },
  paymentMode: "TEST",
  amountPence: 1_999,
  scope: "Count the words.\nOnce.",
  acceptanceCriteria: ["Complete"],
  dataTerms: "Synthetic.",
  dueAt: undefined,
  feePolicy: { bps: 1_000, rounding: "net_down", minimum_live_pence: 999 },
});

const shuffled = JSON.stringify(Object.fromEntries(Object.entries(terms).reverse()), null, 2);

test("terms match the hash that the service recorded, whatever their layout", async () => {
  for (const text of [
    canonical,
    `${canonical}\n`,
    shuffled,
    JSON.stringify({ ok: true, contract: { terms, terms_hash: hash } }),
    JSON.stringify({ terms }),
    JSON.stringify(canonical),
  ]) {
    const finding = await checkTerms(text, hash);
    assert.ok(finding.kind === "computed" && finding.matches && finding.looksLikeTerms, text);
    assert.equal(finding.canonical, canonical);
  }
});

test("a single changed letter does not match", async () => {
  const finding = await checkTerms(shuffled.replace("Once.", "Twice."), hash);
  assert.ok(finding.kind === "computed" && finding.matches === false);
});

test("without a hash to compare, only the computed hash is given", async () => {
  const finding = await checkTerms(shuffled, undefined);
  assert.ok(finding.kind === "computed");
  assert.deepEqual([finding.matches, finding.hash], [null, hash]);
});

test("JSON that is not an agreement's terms is hashed and marked as such", async () => {
  const finding = await checkTerms('{"a": 1}', undefined);
  assert.ok(finding.kind === "computed" && !finding.looksLikeTerms);
});

test("a hash is accepted with and without its prefix, in upper and lower case", () => {
  assert.equal(readHash(` ${hash.toUpperCase().replace("SHA256:", "")} `), hash);
  assert.equal(readHash(hash), hash);
  assert.equal(readHash(hash.slice(0, -1)), undefined);
});

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("text that is not JSON, or has no single reading, is refused with the reason", async () => {
  for (const [text, message] of [
    ['{"a": so at line 1 column 2)', /^This is not valid JSON\.$/],
    ['{\n  "a": 1\n  "b": 2\n}', /^This is not valid JSON\. The mistake is at line 3, column 3\.$/],
    ['{"a": “b”}', /^This is not valid JSON\. It contains curly quotes/],
    ['{"a": 1, "a": 2}', /^These terms have no hash\. .*"a"/],
    ['["\\ud800"]', /^These terms have no hash\. .*lone surrogate/],
    ["1e999", /^These terms have no hash\. /],
    [nested(101), /^These terms have no hash\. They are nested more than 100 levels deep\.$/],
    [nested(100_000), /^These terms have no hash\. They are nested more than 100 levels deep\.$/],
  ] as const) {
    const finding = await checkTerms(text, undefined);
    assert.ok(finding.kind === "unreadable", text);
    assert.match(finding.message, message);
  }
  assert.equal((await checkTerms(nested(100), undefined)).kind, "computed");
});
