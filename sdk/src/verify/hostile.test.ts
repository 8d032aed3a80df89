import assert from "node:assert/strict";
import { test } from "node:test";
import { completedTask, LOG, LOG_KEY, type Made, makeEvidence, SALT, WITNESS } from "../../testing/made-up-platform.ts";
import { canonicalJson } from "../canonical-json.ts";
import { sha256Text } from "../sha256.ts";
import { cosign, openCheckpoint } from "../tlog/checkpoint.ts";
import { formatVkey, parseNote, signatureLine } from "../tlog/note.ts";
import { parseProof } from "../tlog/proof.ts";
import { parseStrictJson } from "./strict-json.ts";
import { verifyEvidence } from "./verify.ts";

// Files that someone made to deceive or stop the verifier. The author of such a file can also run and sign a log of their own.

const VERDICTS = ["proved", "consistent", "broken", "unreadable"];
type Step = ReturnType<typeof completedTask>[number];
const PARTY = "agt_2222222222222222222222";

/** Texts of JSON that no program would write: nested so deeply that whatever walks it by recursion fails. */
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const VALUES: unknown[] = [
  { toString: 1, valueOf: 1 },
  [[{ toString: null }]],
  { constructor: {} },
  [],
  {},
  1e300,
  "",
  null,
];
const NAMES = [
  "constructor",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "__proto__",
  "__defineGetter__",
];

test("no event name and no fact of any form makes the verifier fail: each file gets a verdict", async () => {
  const events = [
    ...NAMES,
    ...completedTask().map(([event]) => event),
    "dispute.statement",
    "task.clarified",
    "transfer.sent",
  ];
  const facts = ["provider", "requester", "by", "contract_id", "settlement_id", "terms_hash", "evidence_hash"];
  const more = ["criteria", "signature", "signing_key", "budget_pence", "gross_pence", "domain", "dispute_id"];
  for (const event of new Set(events)) {
    for (const value of VALUES) {
      const hostile = Object.fromEntries([...facts, ...more].map((name) => [name, value]));
      const steps: Step[] = [...completedTask(), [event, PARTY, hostile]];
      const { verdict } = await verifyEvidence(JSON.stringify(makeEvidence(steps)), { key: LOG_KEY });
      assert.ok(VERDICTS.includes(verdict), `${event} ${JSON.stringify(value)}`);
    }
  }
});

test("values nested without end, in each place of a file, get a verdict", async () => {
  const whole = JSON.stringify(makeEvidence());
  for (const name of ["facts", "provider", "actor", "attachments", "terms", "brief", "statements", "proofs", "log"]) {
    const text = whole.replace(`"${name}":`, `"${name}":${DEEP},"${name}_before":`);
    assert.notEqual(text, whole, name);
    assert.match((await verifyEvidence(text, { key: LOG_KEY })).verdict, /broken|unreadable/, name);
  }
});

test("criteria in agreed terms that are none prove nothing about the result", async () => {
  const verdictOf = async (criterion: unknown, kind: unknown) => {
    const criteria = [criterion];
    const checks = [{ index: 0, kind, passed: true }];
    return verifyEvidence(makeEvidence(completedTask({ criteria, checks }), { criteria }), { key: LOG_KEY });
  };
  // Every hash ends with nothing, and many with a digit.
  for (const value of ["", "a", { toString: 1 }, 7]) {
    const report = await verdictOf({ kind: "sha256", of: "result", value }, "sha256");
    assert.doesNotMatch(report.proved.join(), /Criterion/, JSON.stringify(value));
  }
  for (const value of ["1e9", null, { valueOf: 1 }])
    assert.doesNotMatch((await verdictOf({ kind: "max_bytes", value }, "max_bytes")).proved.join(), /Criterion/);
  for (const criterion of [{ kind: { toString: 1 } }, {}, 7, null, ["sha256"]])
    assert.equal((await verdictOf(criterion, "sha256")).verdict, "broken", JSON.stringify(criterion));
});

/** The same file with an entry withheld: only its hash is left, which looks as if the platform had erased it. */
function without(evidence: Made, n: number): Made {
  const statements = [...evidence.statements];
  statements[n - 1] = { n, erased: sha256Text(canonicalJson(statements[n - 1])) };
  return { ...evidence, statements };
}

test("a party that withholds the last submission cannot have an earlier one proved to be the last", async () => {
  const first = completedTask({ criteria: ["It is right."] });
  const again: Step = [
    "task.submitted",
    PARTY,
    { result_hash: sha256Text(canonicalJson({ salt: SALT, text: "Another." })), evidence_hash: null },
  ];
  const steps: Step[] = [...first.slice(0, 8), ["task.changes_requested", PARTY, {}], again, ...first.slice(8)];
  const evidence = makeEvidence(steps);
  assert.equal(
    (await verifyEvidence(evidence, { key: LOG_KEY })).verdict,
    "broken",
    "the first result is not the last",
  );
  const report = await verifyEvidence(without(without(evidence, 10), 9), { key: LOG_KEY });
  assert.equal(report.verdict, "proved");
  assert.doesNotMatch(report.proved.join("\n"), /submitted last/);
  assert.match(report.proved.join("\n"), /The result is the text that was submitted with entry 8\./);
  assert.match(report.proved.join("\n"), /2 of them were erased or withheld/);
  assert.match(report.summary, /What 2 of them say is not in the file/);
  assert.match(report.not_proved.join("\n"), /it may be a later result/);
  assert.deepEqual(
    report.statements.filter(({ state }) => state === "erased").map(({ n }) => n),
    [9, 10],
  );
});

test("where an acceptance is withheld, nobody is told that every acceptance names these terms", async () => {
  const report = await verifyEvidence(without(makeEvidence(), 4), { key: LOG_KEY });
  assert.equal(report.verdict, "proved");
  assert.match(report.proved.join("\n"), /The terms are those that were proposed\./);
  assert.doesNotMatch(report.proved.join("\n"), /each acceptance/);
});

test("a cosignature counts only under the log's own checkpoint: not one of another log, tree or key", async () => {
  const evidence = makeEvidence();
  const vkey = formatVkey(WITNESS);
  const seen = async (edit: (checkpoint: string) => string) => {
    const proofs = evidence.proofs.map((proof) => {
      const [head = "", ...rest] = (proof ?? "").split("\n\n");
      return [head, edit(rest.join("\n\n"))].join("\n\n");
    });
    return verifyEvidence({ ...evidence, proofs }, { key: LOG_KEY, witnesses: [vkey] });
  };
  const own = await seen((checkpoint) => checkpoint);
  assert.match(own.proved.join("\n"), /witness\.example\/witness saw this tree/);
  const text = parseNote(parseProof(evidence.proofs[0] ?? "")?.checkpointText ?? "")?.text ?? "";
  const lines = (checkpoint: string) => checkpoint.split("\n").slice(0, -2).join("\n");
  const forged = {
    "another log": text.replace(LOG.name, "other.example/log"),
    "a smaller tree": text.replace("\n20\n", "\n19\n"),
    "the same with an extension": `${text}extension\n`,
  };
  for (const [name, other] of Object.entries(forged)) {
    const line = signatureLine(WITNESS, cosign(other, 1_790_000_000, WITNESS));
    const report = await seen((checkpoint) => `${lines(checkpoint)}\n${line}`);
    assert.equal(report.verdict, "proved", name);
    assert.doesNotMatch(report.proved.join("\n"), /saw this tree/, name);
    assert.match(report.not_proved.join("\n"), /no witness that you trust/, name);
  }
});

test("no note passes that is cut short, doubled or signed beside what it shows", async () => {
  const { checkpointText = "" } = parseProof(makeEvidence().proofs[0] ?? "") ?? {};
  assert.ok(await openCheckpoint(checkpointText, LOG));
  const [head = "", ...signatures] = checkpointText.split("\n\n");
  const signed = signatures.join("\n\n");
  const hostile = [
    checkpointText.slice(0, -1),
    `${checkpointText}\n`,
    `${checkpointText}${checkpointText}`,
    `${head}\n\n${head}\n\n${signed}`,
    `other.example/log\n\n${checkpointText}`,
    checkpointText.replace("\n20\n", "\n020\n"),
    checkpointText.replace("\n20\n", "\n9007199254740993\n"),
    checkpointText.replace(LOG.name, `${LOG.name} `),
    `${head}\n\n${signed.repeat(40)}`,
    `${head}\r\n\n${signed}`,
  ];
  for (const note of hostile) assert.equal(await openCheckpoint(note, LOG), undefined, JSON.stringify(note));
});

// Time is measured here, against the rule, because it is what is promised: processor time, so that other programs don't count.
test("a file of many megabytes takes a few seconds of work, whatever it repeats", async () => {
  const evidence = makeEvidence();
  const many = (count: number, entry: (at: number) => string) => Array.from({ length: count }, (_, at) => entry(at));
  const { statements, proofs, ...rest } = evidence;
  const previous = many(400_000, (at) => `${at}`).map((origin) => ({ origin, vkey: null }));
  const numbered = many(40_000, (at) => `${at + 1}`).map((n) => ({ ...statements[1], n: Number(n) }));
  const hostile = {
    "long strings": JSON.stringify({ ...evidence, later: "\\".repeat(10_000_000) }),
    "white space": `{"later":"x"${" ".repeat(10_000_000)},${JSON.stringify(evidence).slice(1)}`,
    "many names": JSON.stringify({ ...evidence, later: many(500_000, () => '"":') }),
    "many logs for many entries": JSON.stringify({
      ...rest,
      log: { ...(rest.log as object), previous },
      statements: numbered,
      proofs: numbered.map(() => null),
    }),
  };
  for (const [name, text] of Object.entries(hostile)) {
    const start = process.cpuUsage();
    const { verdict } = await verifyEvidence(text, { key: LOG_KEY });
    const { user, system } = process.cpuUsage(start);
    assert.ok(VERDICTS.includes(verdict), name);
    assert.ok(user + system < 8_000_000, `${name}: ${(user + system) / 1_000} ms`);
  }
});

test("members that a reader of JSON could mistake are refused or kept apart", async () => {
  const text = JSON.stringify(makeEvidence());
  for (const put of ['"__proto__":{"type":"guildhall.evidence/1"},', '"constructor":{"prototype":{"erased":1}},'])
    assert.equal((await verifyEvidence(`{${put}${text.slice(1)}`, { key: LOG_KEY })).verdict, "proved", put);
  assert.equal(({} as { erased?: unknown }).erased, undefined);
  const proto = text.replace('"facts":{', '"facts":{"__proto__":{"by":"provider"},');
  assert.equal((await verifyEvidence(proto, { key: LOG_KEY })).verdict, "broken");
  assert.throws(() => parseStrictJson('{"__proto__":1,"__proto__":2}'));
  const lone = text.replace("Count the words of a text.", "\\ud800");
  assert.equal((await verifyEvidence(lone, { key: LOG_KEY })).verdict, "broken");
});
