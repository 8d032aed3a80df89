import assert from "node:assert/strict";
import { test } from "node:test";
import { fc, SEED } from "../../../testing/seed.ts";
import {
  completedTask,
  LOG,
  LOG_KEY,
  type Made,
  makeEvidence,
  SALT,
  type Step,
  signerFrom,
  WITNESS,
} from "../../testing/made-up-platform.ts";
import { canonicalJson } from "../canonical-json.ts";
import { sha256Text } from "../sha256.ts";
import { formatVkey } from "../tlog/note.ts";
import type { Facts } from "./bundle.ts";
import { parseStrictJson } from "./strict-json.ts";
import { verifyEvidence } from "./verify.ts";

const verdictOf = async (evidence: unknown, key?: string) => (await verifyEvidence(evidence, { key })).verdict;
const copy = () => structuredClone(makeEvidence());

test("a whole file is proved under the key that the reader gives, and consistent without one", async () => {
  const evidence = makeEvidence();
  const proved = await verifyEvidence(JSON.stringify(evidence), {
    key: `${LOG_KEY}\n`,
    witnesses: [formatVkey(WITNESS)],
  });
  assert.deepEqual([proved.verdict, proved.problems], ["proved", []]);
  assert.equal(proved.tree_size, 20);
  assert.deepEqual(new Set(proved.statements.map(({ state }) => state)), new Set(["in_log"]));
  assert.match(proved.proved.join("\n"), /witness\.example\/witness saw this tree at 2026-/);
  assert.match(proved.proved.join("\n"), /Entry 8 was signed with the key/);
  assert.match(proved.asserted.join("\n"), /8 entries are asserted by the platform/);
  assert.match(proved.not_proved.join("\n"), /nothing came after/);
  const without = await verifyEvidence(evidence);
  assert.equal(without.verdict, "consistent");
  assert.match(without.summary, /against the key in the file itself/);
  assert.match(without.not_proved.join("\n"), /no witness that you trust/);
});

test("what an outsider gets, what the SDK returns, and members of a later version verify too", async () => {
  const { ok: _, content_trust: __, ...answer } = makeEvidence();
  assert.equal(await verdictOf(answer, LOG_KEY), "proved");
  assert.equal(
    await verdictOf({ ...answer, attachments: { terms: {}, brief: null, result: null } }, LOG_KEY),
    "proved",
  );
  assert.equal(await verdictOf({ ...answer, later: { anything: 1 } }, LOG_KEY), "proved");
});

test("statements that wait for a checkpoint, or no statements at all, are consistent at most", async () => {
  const waiting = await verifyEvidence(makeEvidence(completedTask(), { waiting: 3 }), { key: LOG_KEY });
  assert.equal(waiting.verdict, "consistent");
  assert.match(waiting.summary, /3 of 10 entries are not in a checkpoint yet/);
  assert.equal(await verdictOf(makeEvidence(completedTask(), { waiting: 10 }), LOG_KEY), "consistent");
  const empty = { ...makeEvidence([]), attachments: { terms: {}, brief: null, result: null } };
  assert.equal(await verdictOf(empty, LOG_KEY), "consistent");
  const unsigned = { ...makeEvidence(completedTask(), { waiting: 10 }), log: { origin: LOG.name, vkey: null } };
  assert.equal(await verdictOf(unsigned), "consistent");
  assert.equal(await verdictOf(unsigned, LOG_KEY), "broken");
  assert.equal(await verdictOf({ ...copy(), log: { origin: LOG.name, vkey: null } }), "broken");
  const hole = copy();
  hole.proofs[4] = null;
  assert.equal(await verdictOf(hole, LOG_KEY), "broken");
});

test("a file from another log is broken, and so is one that was signed again with another key", async () => {
  const other = signerFrom(9, LOG.name);
  assert.equal(await verdictOf(makeEvidence(), formatVkey(other)), "broken");
  assert.equal(await verdictOf(makeEvidence(), formatVkey(signerFrom(1, "other.example/log"))), "broken");
  const resigned = makeEvidence(completedTask(), { log: other });
  assert.equal(await verdictOf(resigned, LOG_KEY), "broken");
  assert.equal(await verdictOf({ ...resigned, log: { origin: LOG.name, vkey: LOG_KEY } }, LOG_KEY), "broken");
  assert.equal(await verdictOf({ ...resigned, log: { origin: LOG.name, vkey: LOG_KEY } }), "broken");
});

test("what is no evidence file, or no key, is unreadable", async () => {
  for (const value of ["", "{", "[]", "null", '{"type":"guildhall.evidence/2"}', 7, null, undefined, []])
    assert.equal(await verdictOf(value, LOG_KEY), "unreadable", String(value));
  for (const key of ["", "x", `${LOG_KEY}x`, formatVkey(WITNESS)])
    assert.equal(await verdictOf(makeEvidence(), key), "unreadable", key);
  const witness = await verifyEvidence(makeEvidence(), { key: LOG_KEY, witnesses: [LOG_KEY] });
  assert.equal(witness.verdict, "unreadable");
  const twice = JSON.stringify(makeEvidence()).replace('"chain":', '"chain":"tsk_other","chain":');
  assert.equal(await verdictOf(twice, LOG_KEY), "unreadable");
});

test("JSON in which a member stands twice is refused, and other JSON is read as usual", () => {
  for (const text of ['{"a":1,"a":2}', '[{"b":{"a":1,"\\u0061":2}}]', '{"a":{"a":1},"a":[]}'])
    assert.throws(() => parseStrictJson(text), text);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(parseStrictJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
  assert.deepEqual(parseStrictJson('{"a":":{\\"","b":[{"a":"}"},{"a":"\\\\"}]}'), {
    a: ':{"',
    b: [{ a: "}" }, { a: "\\" }],
  });
});

test("a changed entry is marked as broken, and those around it, whose proofs hold, are not", async () => {
  const evidence = copy();
  const submitted = evidence.statements[7] as { at: string };
  submitted.at = "2026-11-22T12:34:56.000Z";
  const states = async (made: Made, key?: string) =>
    (await verifyEvidence(made, { key })).statements.map(({ state }) => state);
  const rest = (count: number, state: string) => Array(count).fill(state);
  for (const key of [LOG_KEY, undefined])
    assert.deepEqual(await states(evidence, key), [...rest(7, "in_log"), "broken", ...rest(2, "in_log")]);
  // Without its proof, the entry after it is the first that does not fit.
  const waiting = makeEvidence(completedTask(), { waiting: 3 });
  (waiting.statements[7] as { at: string }).at = "2026-11-22T12:34:56.000Z";
  assert.deepEqual(await states(waiting), [...rest(7, "in_log"), "waiting", "broken", "waiting"]);
  // No proof holds under another key.
  const resigned = makeEvidence(completedTask(), { log: signerFrom(9, LOG.name) });
  assert.deepEqual(await states({ ...resigned, log: { origin: LOG.name, vkey: LOG_KEY } }), rest(10, "broken"));
});

test("the report names the parties and the amount as the entries do", async () => {
  const { deal } = await verifyEvidence(makeEvidence());
  assert.deepEqual([deal?.amount_pence, deal?.payment_mode], [999, "TEST"]);
  assert.match(`${deal?.requester} ${deal?.provider}`, /^agt_\w+ agt_\w+$/);
});

test("an erased statement keeps its place, and what it said is not claimed", async () => {
  const evidence = copy();
  const third = evidence.statements[2] as object;
  evidence.statements[2] = { n: 3, erased: sha256Text(canonicalJson(third)) };
  const attachments = { terms: {}, brief: null, result: null };
  const erased = await verifyEvidence({ ...evidence, attachments }, { key: LOG_KEY });
  assert.equal(erased.verdict, "proved");
  assert.match(erased.proved.join("\n"), /1 of them were erased/);
  evidence.statements[2] = { n: 3, erased: sha256Text("something else") };
  assert.equal(await verdictOf({ ...evidence, attachments }, LOG_KEY), "broken");
});

test("a platform that records what cannot be is caught, although it signed it", async () => {
  const changed = (at: number, facts: object) =>
    makeEvidence(
      completedTask().map((step, index) => (index === at ? [step[0], step[1], { ...step[2], ...facts }] : step)),
    );
  const cases: Record<string, Made> = {
    "other terms accepted": changed(3, { terms_hash: sha256Text("other terms") }),
    "one party twice": changed(3, { by: "provider" }),
    "a settlement with another fee": changed(5, { fee_pence: 99, net_pence: 900 }),
    "figures that do not add up": changed(9, { fee_pence: 0 }),
    "another amount": changed(5, { gross_pence: 1_998, fee_pence: 200, net_pence: 1_798 }),
    "more awarded than agreed": changed(9, { awarded_pence: 1_000, fee_pence: 100, net_pence: 900 }),
    "a signature of another text": changed(7, { evidence_hash: sha256Text("other evidence") }),
    "a settlement without agreement": makeEvidence(completedTask().filter(([event]) => event !== "contract.accepted")),
  };
  for (const [name, evidence] of Object.entries(cases))
    assert.equal(await verdictOf(evidence, LOG_KEY), "broken", name);
  const split = changed(9, { awarded_pence: 500, fee_pence: 50, net_pence: 450 });
  assert.equal(await verdictOf(split, LOG_KEY), "proved");
});

test("an acceptance in advance holds if the requester prepared it last, and its signature may follow", async () => {
  const AT = "2026-11-22T12:00:00.000Z";
  /** Gives the requester's acceptance these facts, after these steps. */
  const prepared = (before: Facts, acceptance: Facts, ...between: Facts[]) => {
    const steps = completedTask();
    const [created, claimed, proposed, accepted, ...rest] = steps as [Step, Step, Step, Step, ...Step[]];
    return makeEvidence([
      [created[0], created[1], { ...created[2], ...before }],
      ...between.map((facts): Step => ["task.prepared", created[1], facts]),
      claimed,
      proposed,
      [accepted[0], accepted[1], { ...accepted[2], acceptance: "prepared", prepared_at: AT, ...acceptance }],
      ["contract.signed", accepted[1], accepted[2]],
      ...rest,
    ]);
  };
  const on = { accept: true, prepared_at: AT };
  const later = { prepared: true, accept: true, prepared_at: "2026-11-22T13:00:00.000Z" };
  assert.equal(await verdictOf(prepared(on, {}), LOG_KEY), "proved");
  assert.equal(await verdictOf(prepared({}, {}, { prepared: true, ...on }), LOG_KEY), "proved");
  const broken = [
    prepared({}, {}),
    prepared({ ...on, accept: false }, {}),
    prepared(on, {}, later),
    prepared(on, {}, { prepared: false, accept: false }),
    prepared(on, { by: "provider" }),
    makeEvidence(completedTask().map((step) => (step[2].by ? ["contract.signed", step[1], step[2]] : step))),
  ];
  for (const [at, evidence] of broken.entries()) assert.equal(await verdictOf(evidence, LOG_KEY), "broken", String(at));
});

test("a report never holds control characters, whatever the file holds", async () => {
  const evidence = makeEvidence([["task.claimed\u001b[2J", "agt\u202e", { provider: "x" }]]);
  const report = await verifyEvidence({ ...evidence, chain: "\u001b[31m" }, { key: LOG_KEY });
  assert.doesNotMatch(JSON.stringify(report), /\\u001b|\u202e/);
});

/** How many mutations; `EVIDENCE_MUTATIONS=10000` for the long run. */
const MUTATIONS = Number(process.env.EVIDENCE_MUTATIONS ?? 250);

test(`none of ${MUTATIONS} random changes to a file verifies`, { timeout: 600_000 }, async () => {
  const numbers = fc.sample(fc.integer({ min: 0, max: 2 ** 30 }), { numRuns: MUTATIONS * 4, seed: SEED });
  const original = JSON.stringify(makeEvidence());
  for (let run = 0; run < MUTATIONS; run += 1) {
    const draw = numbers.slice(run * 4, run * 4 + 4);
    const mutant = run % 3 === 0 ? mutateText(original, draw) : mutateMember(draw);
    if (mutant === undefined || isSame(mutant, original)) continue;
    const { verdict } = await verifyEvidence(mutant, { key: LOG_KEY });
    assert.notEqual(verdict, "proved", `${draw}: ${mutant}`);
    const { verdict: keyless } = await verifyEvidence(mutant);
    assert.ok(keyless !== "proved", String(draw));
  }
});

/** Whether both are JSON of the same evidence: members outside it and the time of making are not part of the proof. */
function isSame(one: string, other: string): boolean {
  const strip = (text: string) => {
    const {
      ok: _,
      content_trust: __,
      made_at: ___,
      type,
      log,
      chain,
      statements,
      proofs,
      attachments,
    } = parseStrictJson(text) as Made;
    return canonicalJson({ type, log, chain, statements, proofs, attachments });
  };
  try {
    return strip(one) === strip(other);
  } catch {
    return false;
  }
}

/** One character replaced, removed or put in. */
function mutateText(text: string, [at = 0, kind = 0, choice = 0]: number[]): string {
  const place = at % text.length;
  const alphabet = 'abcdefAZ019+/="\\{}[],: —\n';
  const put = kind % 3 === 1 ? "" : (alphabet[choice % alphabet.length] as string);
  return text.slice(0, place) + put + text.slice(place + (kind % 3 === 2 ? 0 : 1));
}

type Container = Record<string, unknown> | unknown[];

/** One member changed, removed, doubled, exchanged with a neighbour or with the same member of another statement. */
function mutateMember([at = 0, kind = 0, choice = 0, more = 0]: number[]): string | undefined {
  const evidence = copy() as unknown as Record<string, unknown>;
  const places: { parent: Container; key: string }[] = [];
  const walk = (parent: Container) => {
    for (const key of Object.keys(parent)) {
      places.push({ parent, key });
      const value = (parent as Record<string, unknown>)[key];
      if (typeof value === "object" && value !== null) walk(value as Container);
    }
  };
  walk(evidence);
  const { parent, key } = places[at % places.length] as { parent: Container; key: string };
  const other = places[choice % places.length] as { parent: Container; key: string };
  const values = parent as Record<string, unknown>;
  const others = other.parent as Record<string, unknown>;
  const kinds = [
    () => (Array.isArray(parent) ? parent.splice(Number(key), 1) : delete values[key]),
    () => Array.isArray(parent) && parent.splice(Number(key), 0, structuredClone(values[key])),
    () => Array.isArray(parent) && parent.reverse(),
    () => {
      values[key] = changed(values[key], more);
    },
    () => {
      [values[key], others[other.key]] = [structuredClone(others[other.key]), structuredClone(values[key])];
    },
    () => {
      values[key] = structuredClone(others[other.key]);
    },
    () => {
      values[`${key}x`] = values[key];
      if (more % 2) delete values[key];
    },
  ];
  kinds[kind % kinds.length]?.();
  try {
    return JSON.stringify(evidence);
  } catch {
    // An exchange may have put a part into itself.
    return undefined;
  }
}

function changed(value: unknown, more: number): unknown {
  if (typeof value === "string") {
    const place = more % (value.length + 1);
    return `${value.slice(0, place)}${"aA0+ \n"[more % 6]}${value.slice(place + (more % 2))}`;
  }
  if (typeof value === "number") return value + (more % 2 ? 1 : -1);
  return [null, true, "", 0, {}, []][more % 6];
}

test("dispute statements and clarifications are proved by their entries, and nothing else passes for them", async () => {
  const said = { salt: SALT, text: "All three words are counted." };
  const hash = sha256Text(canonicalJson(said));
  const party = "agt_2222222222222222222222";
  const cases: [list: string, step: ReturnType<typeof completedTask>[number], words: RegExp][] = [
    [
      "dispute_statements",
      ["dispute.statement", party, { dispute_id: "dsp_2", by: "provider", statement_hash: hash }],
      /dispute statement in this file is as the party wrote it/,
    ],
    ["clarifications", ["task.clarified", party, { text_hash: hash }], /clarification .* is as the requester wrote it/],
  ];
  for (const [list, step, words] of cases) {
    const steps = [...completedTask(), step];
    const n = steps.length;
    const whole = { ...makeEvidence(steps), [list]: [{ n, ...said }] };
    const report = await verifyEvidence(whole, { key: LOG_KEY });
    assert.deepEqual([report.verdict, report.problems], ["proved", []]);
    assert.match(report.proved.join("\n"), words);
    for (const other of [{ n, ...said, text: "None is." }, { ...said, n: n - 1 }, { n, ...said, more: 1 }, "x"])
      assert.equal(await verdictOf({ ...whole, [list]: [other] }, LOG_KEY), "broken");
  }
});
