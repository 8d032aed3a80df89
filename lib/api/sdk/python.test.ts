import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { after, test } from "node:test";
import { canonicalJson } from "#sdk/canonical-json.ts";
import { sha256Text } from "#sdk/sha256.ts";
import { formatVkey } from "#sdk/tlog/note.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { missing, missingCryptography } from "#testing/missing-program.ts";
import { folderWithClient, PYTHON, PYTHON_WITH_CRYPTOGRAPHY, runPython } from "#testing/python.ts";
import { fc } from "#testing/seed.ts";
import {
  completedTask,
  LOG,
  LOG_KEY,
  type Made,
  makeEvidence,
  SALT,
  signerFrom,
  WITNESS,
} from "../../../sdk/testing/made-up-platform.ts";
import { type Call, checkRetries } from "../../../sdk/testing/retries.ts";

const skip = missing("python3");
const { folder, remove } = folderWithClient();
after(remove);

test("guildhall.py compiles without a warning, its hints name what exists, and no name has two meanings", {
  skip,
}, async () => {
  const { status, stderr } = spawnSync(PYTHON, ["-W", "error", "-m", "py_compile", "guildhall.py"], { cwd: folder });
  assert.equal(status, 0, String(stderr));
  const program = `
import ast, collections, json, typing, guildhall
client = guildhall.Guildhall()
groups = [each for each in vars(client).values() if isinstance(each, guildhall._Group)]
calls = [getattr(group, name) for group in groups for name in dir(group) if not name.startswith("_")]
for each in [*calls, *(value for value in vars(guildhall).values() if isinstance(value, type))]:
    typing.get_type_hints(each)
with open("guildhall.py", encoding="utf-8") as file:
    tree = ast.parse(file.read())
names = [node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
names += [target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Name)]
print(json.dumps([len(calls) > 50, [name for name, count in collections.Counter(names).items() if count > 1]]))`;
  assert.deepEqual(await runPython(folder, program), [true, []]);
});

test("canonical JSON in Python has the bytes of the service", { skip }, async () => {
  const json = fc.jsonValue({ stringUnit: "binary", depthSize: "medium" });
  const integers = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
  const doubles = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  );
  const texts = [
    ...fc.sample(json, 2_000).map((value) => JSON.stringify(value)),
    ...fc.sample(doubles, 2_000).map((value) => JSON.stringify(value)),
    ...fc.sample(integers, 300).map(String),
    "1.0",
    "-0",
    "-0.0",
    "1E30",
    "1e-7",
    "123456789012345678901234567890",
    "0.1e1",
    "1e21",
    "1e20",
    "5e-324",
    '{"€":1,"\\r":2,"\ufb33":3,"1":4,"😀":5,"\u0080":6,"ö":7,"":8,"\u2028":"\\u0000\\u001f\u007f/"}',
  ].filter((text) => JSON.stringify(JSON.parse(text)).isWellFormed());
  const expected = texts.map((text) => canonicalJson(JSON.parse(text)));
  const program = `
import json, sys, guildhall
print(json.dumps([guildhall.canonical_json(json.loads(text)) for text in json.load(sys.stdin)]))`;
  assert.deepEqual(await runPython(folder, program, { input: texts }), expected);
  const refused = `
import json, guildhall
def refuses(value):
    try:
        guildhall.canonical_json(value)
    except ValueError:
        return True
print(json.dumps([refuses(each) for each in (float("nan"), float("inf"), 10**400, "\\ud800", {"\\udc00": 1}, {1: 2}, {1, 2}, b"")]))`;
  assert.deepEqual(await runPython(folder, refused), Array(8).fill(true));
});

/** Evidence files of every kind, each with the key under which it is verified. */
function evidenceFiles(): { text: string; key: string | null; witnesses: string[] }[] {
  const whole = makeEvidence();
  const edited = (edit: (evidence: Made) => void) => {
    const copy = structuredClone(whole);
    edit(copy);
    return copy;
  };
  const recorded = (at: number, facts: object) =>
    makeEvidence(
      completedTask().map((step, index) => (index === at ? [step[0], step[1], { ...step[2], ...facts }] : step)),
    );
  const erased = (...places: number[]) =>
    edited((evidence) => {
      for (const n of places.toReversed())
        evidence.statements[n - 1] = { n, erased: sha256Text(canonicalJson(evidence.statements[n - 1])) };
    });
  const criteria = [
    { kind: "max_bytes", value: 100 },
    { kind: "sha256", of: "result", value: sha256Text("x") },
    "Text.",
  ];
  const checks = [
    { index: 0, kind: "max_bytes", passed: true },
    { index: 1, kind: "sha256", passed: false },
  ];
  const steps = completedTask();
  const [, party, accepted] = steps[4] ?? assert.fail();
  const salted = { salt: SALT, text: "In English." };
  const file = { name: "a.txt", size: 1, sha256: sha256Text("a") };
  const listed = sha256Text(canonicalJson({ salt: SALT, text: canonicalJson([file]) }));
  const facts = (at: number, more: object) =>
    steps.map((step, index): (typeof steps)[number] =>
      index === at ? [step[0], step[1], { ...step[2], ...more }] : step,
    );
  const prepared = (at: string) =>
    makeEvidence(
      facts(0, { accept: true, prepared_at: "1" }).map((step, index) =>
        index === 3 ? [step[0], step[1], { ...step[2], prepared_at: at }] : step,
      ),
    );
  const clarified = makeEvidence([
    ...steps,
    ["task.clarified", party, { text_hash: sha256Text(canonicalJson(salted)) }],
  ]);
  const withFile = makeEvidence(facts(7, { files_hash: listed }));
  const files: unknown[] = [
    whole,
    makeEvidence([...steps.slice(0, 5), ["contract.signed", party, accepted], ...steps.slice(5)]),
    makeEvidence([...steps.slice(0, 4), ["contract.signed", party, accepted], ...steps.slice(4)]),
    ...["1", "2"].map(prepared),
    ...[11, 2].map((n) => ({ ...clarified, clarifications: [{ n, ...salted }] })),
    ...[8, 7].map((n) => ({ ...withFile, files: [{ n, purpose: "result", ...file }] })),
    { ...withFile, files: [{ n: 8, purpose: "result", ...file, size: 2 }] },
    {
      ...withFile,
      attachments: { terms: {}, brief: null, result: null },
      files: [{ n: 8, purpose: "result", ...file }],
    },
    { ...whole, files: [{ n: 8, purpose: "result", ...file }] },
    { ...whole, files: [{ n: 3, purpose: "brief", ...file }] },
    { ...whole, files: [{ n: 3, purpose: "other", ...file }] },
    { ...whole, files: null, clarifications: null },
    { ...whole, attachments: { terms: {}, brief: null, result: null } },
    { ...whole, later: 1 },
    { ...whole, log: { origin: LOG.name, vkey: null } },
    makeEvidence(completedTask(), { waiting: 3 }),
    makeEvidence(completedTask(), { waiting: 10 }),
    makeEvidence(completedTask(), { log: signerFrom(9, LOG.name) }),
    { ...makeEvidence([]), attachments: { terms: {}, brief: null, result: null } },
    makeEvidence(completedTask({ criteria, checks }), { criteria }),
    makeEvidence(completedTask({ criteria, checks: checks.map((each) => ({ ...each, passed: true })) }), { criteria }),
    makeEvidence(completedTask({ criteria }), { criteria }),
    ...[[3], [4], [9, 10]].map((places) => erased(...places)),
    ...[
      [0, { brief_hash: "sha256:other" }],
      [3, { by: "provider" }],
      [4, { terms_hash: sha256Text("other") }],
      [4, { signature: "A".repeat(86) }],
      [5, { net_pence: 900, fee_pence: 99 }],
      [5, { gross_pence: "999" }],
      [5, { awarded_pence: 500, net_pence: 450, fee_pence: 50 }],
      [7, { result_hash: null }],
      [9, { gross_pence: 1_000 }],
    ].map(([at, facts]) => recorded(at as number, facts as object)),
    ...whole.statements.flatMap((_, at) => [
      edited(({ statements }) => statements.splice(at, 1)),
      edited(({ statements }) => Object.assign(statements[at] ?? {}, { at: "2026-01-01T00:00:00.000Z" })),
      edited(({ proofs }) => Object.assign(proofs, { [at]: null })),
      edited(({ proofs }) => Object.assign(proofs, { [at]: proofs[at]?.replace(/index \d+/, "index 2") })),
      edited(({ proofs }) => Object.assign(proofs, { [at]: proofs[at]?.replace("\n20\n", "\n19\n") })),
    ]),
    ...Object.keys(whole).map((name) => ({ ...whole, [name]: { toString: 1 } })),
    null,
    [],
    7,
  ];
  const named = files.map((value) => ({ text: JSON.stringify(value), key: LOG_KEY, witnesses: [formatVkey(WITNESS)] }));
  const text = JSON.stringify(whole);
  return [
    ...named,
    ...["", "{", text.replace('"chain":', '"chain":"x","chain":'), text.replace("999", "NaN")].map((each) => ({
      text: each,
      key: LOG_KEY,
      witnesses: [],
    })),
    {
      text: text.replace('"facts":', `"facts":${"[".repeat(100_000)}${"]".repeat(100_000)},"other":`),
      key: LOG_KEY,
      witnesses: [],
    },
    ...[
      null,
      "",
      "x",
      `${LOG_KEY}\n`,
      `${LOG_KEY}x`,
      formatVkey(WITNESS),
      formatVkey(signerFrom(9, LOG.name)),
      formatVkey(signerFrom(1, "other.example/log")),
    ].map((key) => ({ text, key, witnesses: [] })),
    { text, key: LOG_KEY, witnesses: [LOG_KEY] },
  ];
}

const VERIFY = `
import json, sys, guildhall
reports = [guildhall.verify_evidence(each["text"], key=each["key"], witnesses=each["witnesses"]) for each in json.load(sys.stdin)]
print(json.dumps(reports))`;

type PythonReport = Awaited<ReturnType<typeof verifyEvidence>> & { signatures_checked?: boolean };

test("each evidence file gets the verdict of the TypeScript verifier", {
  skip: missingCryptography(PYTHON_WITH_CRYPTOGRAPHY),
}, async () => {
  const files = evidenceFiles();
  const reports = await runPython<PythonReport[]>(folder, VERIFY, { input: files, python: PYTHON_WITH_CRYPTOGRAPHY });
  for (const [at, { text, key, witnesses }] of files.entries()) {
    const { verdict, problems, tree_size, statements, log } = await verifyEvidence(text, {
      key: key ?? undefined,
      witnesses,
    });
    const report = reports[at] ?? assert.fail();
    const shown = `${text.slice(0, 300)} ${report.problems.join()} | ${problems.join()}`;
    assert.deepEqual([report.verdict, report.problems.length > 0], [verdict, problems.length > 0], shown);
    if (verdict === "broken" || verdict === "unreadable") continue;
    const states = (each: PythonReport["statements"]) => each.map(({ n, at, state }) => ({ n, at, state }));
    assert.deepEqual(
      [report.tree_size, states(report.statements), report.log],
      [tree_size, states(statements), log],
      shown,
    );
  }
  const verdicts = new Set(reports.map(({ verdict }) => verdict));
  assert.deepEqual([...verdicts].sort(), ["broken", "consistent", "proved", "unreadable"]);
  assert.match(
    reports[0]?.proved.join("\n") ?? "",
    /Entry 8 was signed with the key[\s\S]*witness\.example\/witness saw this tree/,
  );
});

test("without the package cryptography nothing is proved, and the report says that no signature was checked", {
  skip,
}, async () => {
  const input = evidenceFiles();
  const program = `import sys\nsys.modules["cryptography"] = None\n${VERIFY}`;
  const reports = await runPython<PythonReport[]>(folder, program, { input });
  const [whole] = reports;
  assert.deepEqual([whole?.verdict, whole?.signatures_checked, whole?.proved], ["consistent", false, []]);
  assert.match(whole?.summary ?? "", /no signature was checked\. Install the package cryptography/);
  assert.match(whole?.not_proved.join("\n") ?? "", /signatures were not checked/);
  assert.equal(reports.filter(({ verdict }) => verdict === "proved").length, 0);
  // What needs no signature to be seen is seen all the same.
  for (const [at, { text, key }] of input.entries())
    if ((await verifyEvidence(text, { key: key ?? undefined })).verdict === "unreadable")
      assert.equal(reports[at]?.verdict, "unreadable");
});

test("a webhook delivery is verified as by the TypeScript SDK", { skip }, async () => {
  const secret = `whsec_${Buffer.from("a secret of 24 bytes ...").toString("base64")}`;
  const body = JSON.stringify({ type: "task.created", data: { position: 7, text: "ä" } });
  const sign = (at: string, signed = body) =>
    `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
      .update(`evt_1.${at}.${signed}`)
      .digest("base64")}`;
  const headers = (at: string, signature = sign(at)) => ({
    "Webhook-Id": "evt_1",
    "webhook-timestamp": at,
    "WEBHOOK-SIGNATURE": signature,
  });
  const cases: [headers: object, secret: string, error: RegExp | null][] = [
    [headers("1000"), secret, null],
    [headers("1000", `v1,AAAA ${sign("1000")}`), secret, null],
    [headers("1300"), secret, null],
    [headers("1000", sign("1000", "{}")), secret, /does not match/],
    [headers("1000", "ü"), secret, /does not match/],
    [headers("699"), secret, /not sent just now/],
    [headers("1301"), secret, /not sent just now/],
    [headers("1e3"), secret, /not sent just now/],
    [headers("1000"), "whsec_AAA", /not a webhook secret/],
    [headers("1000"), "secret", /not a webhook secret/],
    [{ "webhook-id": "evt_1" }, secret, /webhook-timestamp is missing/],
  ];
  const program = `
import json, sys, guildhall
found = []
given = json.load(sys.stdin)
for headers, secret in given["cases"]:
    for body in (given["body"], given["body"].encode("utf-8")):
        try:
            found.append(guildhall.Guildhall.webhooks.verify(headers, body, secret, now=1000))
        except guildhall.WebhookVerificationError as error:
            found.append(str(error))
print(json.dumps(found))`;
  const input = { body, cases: cases.map(([given, own]) => [given, own]) };
  const found = await runPython<(string | object)[]>(folder, program, { input });
  for (const [at, [, , error]] of cases.entries())
    for (const each of found.slice(at * 2, at * 2 + 2))
      if (error) assert.match(String(each), error);
      else assert.deepEqual(each, { position: 7, text: "ä" });
});

/** `jobs.offersSave` with `{task_id: "x"}` → `guild.jobs.offers_save(task_id="x")`. */
function inPython({ call, input, timeoutMs }: Call): string {
  const name = call.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const values = Object.entries(input).map(
    ([field, value]) => `${field}=json.loads(${JSON.stringify(JSON.stringify(value))})`,
  );
  return `guild.${name}(${[...values, ...(timeoutMs ? [`timeout=${timeoutMs / 1_000}`] : [])].join(", ")})`;
}

test("calls are sent again where that is safe, and each attempt sends the same bytes", { skip }, async () => {
  await checkRetries(async (url, call) => {
    const program = `
import guildhall, json
slept = []
guild = guildhall.Guildhall("${url}", "agt_me", "ghm_me", sleep=slept.append)
try:
    ${inPython(call)}
    outcome = "done"
except guildhall.GuildhallError as error:
    outcome = type(error).__name__
print(json.dumps([outcome, sum(slept)]))`;
    const [outcome, slept] = await runPython<[string, number]>(folder, program);
    return { outcome, slept };
  });
});

test("credentials of the environment go only to the service that it names, and an empty argument means none", {
  skip,
}, async () => {
  const program = `
import guildhall, json
def has(*given, **named):
    guild = guildhall.Guildhall(*given, **named)
    return [guild.base_url, guild.public_id, guild._token is not None]
print(json.dumps([has(), has("https://Own.example:443/x"), has("https://other.example"), has(token=""), has("https://other.example", token="t")]))`;
  const variables = {
    GUILDHALL_BASE_URL: "https://own.example/",
    GUILDHALL_PUBLIC_ID: "agt_1",
    GUILDHALL_TOKEN: "ghm_1",
  };
  assert.deepEqual(await runPython(folder, program, { variables }), [
    ["https://own.example", "agt_1", true],
    ["https://own.example", "agt_1", true],
    ["https://other.example", null, false],
    ["https://own.example", "agt_1", false],
    ["https://other.example", null, true],
  ]);
});
