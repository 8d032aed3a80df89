import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { canonicalJson, sha256 } from "#lib/kernel/canonical-json.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { call, testService } from "#testing/client.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, perform, taskAt, type Work } from "#testing/workflow.ts";

let requester: TestAgent;
let provider: TestAgent;

testService({}, async () => {
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
});

const hashOf = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const SCHEMA = { type: "object", properties: { words: { type: "integer", minimum: 0 } }, required: ["words"] };
const RESULT = '{"words": 3, "é": " x "}';
const CRITERIA = [
  "It is right.",
  { kind: "json_schema", schema: SCHEMA },
  { kind: "max_bytes", value: 30 },
  { kind: "sha256", of: "result", value: `sha256:${hashOf(RESULT)}` },
];
const atWork = (criteria: unknown[]) =>
  taskAt("in_progress", { requester, provider }, { amountPence: 0, terms: { acceptance_criteria: criteria } });
const show = async (agent: TestAgent, path: string) =>
  (await call<Record<string, never>>("GET", `/api/v1/${path}&public_id=${agent.publicId}`, { token: agent.token }))
    .body;
const outcomes = (results: { index: number; passed: boolean }[] | null | undefined) =>
  results?.map(({ index, passed }) => [index, passed]);

test("machine-checked criteria are frozen in the terms as they were sent, and their hash is over all of them", async () => {
  const work = await atWork([...CRITERIA, { kind: "json_schema", schema: { const: " x " } }]);
  const { contract } = (await show(requester, `contracts/show.php?contract_id=${work.contractId}`)) as never as {
    contract: { terms: { acceptance_criteria: unknown[] }; terms_canonical: string; terms_hash: string };
  };
  assert.deepEqual(contract.terms.acceptance_criteria, [
    ...CRITERIA,
    { kind: "json_schema", schema: { const: " x " } },
  ]);
  assert.equal(canonicalJson(contract.terms), contract.terms_canonical);
  assert.equal(sha256(contract.terms_canonical), contract.terms_hash);
});

test("both parties see which criteria a submission meets, and the evidence proves it offline", async () => {
  const work = await atWork(CRITERIA);
  const failing = (await did(provider, "submit", work, { result: '{"words": -1, "a": "0123456789"}' })).task;
  assert.deepEqual(
    [failing?.criteria_passed, outcomes(failing?.criteria_results)],
    [
      false,
      [
        [1, false],
        [2, false],
        [3, false],
      ],
    ],
  );
  assert.match(failing?.criteria_results?.[0]?.reason ?? "", /^\/words must be at least 0\.$/);
  assert.match(failing?.criteria_results?.[1]?.reason ?? "", /has 32 bytes; at most 30/);

  const changed = (await did(requester, "request_changes", work)).task;
  assert.equal(changed?.criteria_passed, false, "the marks belong to the result that is still shown");
  // White space around a result is not stored, and so neither hashed nor counted.
  await did(provider, "submit", work, { result: `\n ${RESULT}\r\n` });
  for (const agent of [requester, provider]) {
    for (const path of [`jobs/show.php?task_id=${work.taskId}`, `contracts/show.php?contract_id=${work.contractId}`]) {
      const { task, contract } = await show(agent, path);
      const { criteria_passed, criteria_results } = (task ?? contract) as never as NonNullable<typeof failing>;
      assert.deepEqual(
        [criteria_passed, outcomes(criteria_results)],
        [
          true,
          [
            [1, true],
            [2, true],
            [3, true],
          ],
        ],
      );
    }
  }
  const evidence = await show(requester, `jobs/evidence.php?task_id=${work.taskId}`);
  const report = await verifyEvidence(evidence);
  assert.deepEqual([report.verdict, report.problems], ["consistent", []]);
  assert.match(JSON.stringify(report), /Criterion d of the terms \(sha256\): the result submitted last meets it/);
  const submitted = (evidence.statements as never as { event: string; facts: { criteria?: object[] } }[]).filter(
    ({ event }) => event === "task.submitted",
  );
  assert.deepEqual(
    submitted.map(({ facts }) => facts.criteria?.length),
    [3, 3],
  );
  assert.deepEqual(submitted[1]?.facts.criteria?.[0], { index: 1, kind: "json_schema", passed: true });
  assert.equal((await did(requester, "complete", work)).task?.state, "completed");
});

test("a result that is not JSON fails a schema, and a submission that fails can still be completed", async () => {
  const work = await atWork([{ kind: "json_schema", schema: SCHEMA }]);
  const { task } = await did(provider, "submit", work, { result: "Three words." });
  assert.deepEqual(task?.criteria_results, [
    { index: 0, kind: "json_schema", passed: false, reason: "The result is not JSON." },
  ]);
  assert.equal((await did(requester, "complete", work)).task?.criteria_passed, false);
});

test("text criteria alone leave no trace of checks", async () => {
  const work = await atWork(["It is right."]);
  const { task } = await did(provider, "submit", work);
  assert.deepEqual([task?.criteria_results, task?.criteria_passed], [null, null]);
  const { statements } = await show(requester, `jobs/evidence.php?task_id=${work.taskId}`);
  assert.doesNotMatch(JSON.stringify(statements), /"criteria"/);
});

test("a criterion that cannot be checked is refused with the path of what is wrong", async () => {
  const work: Work = await taskAt("claimed", { requester, provider });
  const refused: [criterion: unknown, path: string, message: RegExp][] = [
    [7, "acceptance_criteria.2", /must be a string or an object/],
    ["", "acceptance_criteria.2", /must not be empty/],
    [{ kind: "regex", value: "a" }, "acceptance_criteria.2.kind", /must be sha256 or json_schema or max_bytes/],
    [{}, "acceptance_criteria.2.kind", /must be/],
    [{ kind: "sha256", of: "brief", value: "a" }, "acceptance_criteria.2.of", /must be result/],
    [{ kind: "sha256", of: "result", value: "a" }, "acceptance_criteria.2.value", /64 hexadecimal digits/],
    [{ kind: "max_bytes", value: 0 }, "acceptance_criteria.2.value", /at least 1/],
    [{ kind: "max_bytes", value: 5, unit: "KB" }, "acceptance_criteria.2.unit", /not a property/],
    [{ kind: "json_schema" }, "acceptance_criteria.2.schema", /must be an object|required/],
    [{ kind: "json_schema", schema: "true" }, "acceptance_criteria.2.schema", /must be an object/],
    [{ kind: "json_schema", schema: { type: "text" } }, "acceptance_criteria.2.schema", /\/type must be null, boolean/],
    [
      { kind: "json_schema", schema: { $ref: "https://a.example/" } },
      "acceptance_criteria.2.schema",
      /\/\$ref must lead/,
    ],
    [{ kind: "json_schema", schema: { pattern: "(?=a)" } }, "acceptance_criteria.2.schema", /without look-around/],
    [{ kind: "json_schema", schema: { pattern: "(?i)a" } }, "acceptance_criteria.2.schema", /ECMA-262/],
    [{ kind: "json_schema", schema: { title: "a".repeat(17_000) } }, "acceptance_criteria.2.schema", /16384 bytes/],
    [
      { kind: "json_schema", schema: { properties: { "a\u0000": {} } } },
      "acceptance_criteria.2.schema",
      /control char/,
    ],
    [
      { kind: "json_schema", schema: { enum: Array(5_000).fill(1) } },
      "acceptance_criteria.2.schema.enum",
      /5000 values/,
    ],
  ];
  for (const [criterion, path, message] of refused) {
    const { error } = await perform(requester, "propose", work, { acceptance_criteria: ["A", "B", criterion] });
    assert.equal(error?.code, "invalid_input", JSON.stringify(criterion)?.slice(0, 100));
    const [first] = error.field_errors ?? [];
    assert.equal(first?.path, path);
    assert.match(first?.message ?? "", message);
  }
  const six = { acceptance_criteria: Array(6).fill({ kind: "json_schema", schema: {} }) };
  const { error } = await perform(requester, "propose", work, six);
  assert.match(error?.field_errors?.[0]?.message ?? "", /at most 5 entries of kind json_schema or file_json_schema/);
});

test("hostile criteria fail their own submission, and no request of anyone else", async () => {
  const costly = [
    { kind: "json_schema", schema: { allOf: Array(400).fill({ items: { type: "number", minimum: 0 } }) } },
    { kind: "json_schema", schema: { items: { pattern: "^(\\p{L}+)*(a|\\w{90})+$" } } },
  ];
  const works = await Promise.all(Array.from({ length: 8 }, () => atWork(costly)));
  const result = `[${Array(24_000).fill(1)}]`;
  const submissions = works.map((work) => perform(provider, "submit", work, { result }));
  const others = Array.from({ length: 20 }, () => show(requester, `agents/me.php?x=`));
  for (const answer of await Promise.all(others)) assert.equal((answer as { ok?: boolean }).ok, true);
  for (const { body, error } of await Promise.all(submissions)) {
    assert.equal(error, undefined);
    assert.equal(body.task?.criteria_passed, false);
    assert.match(body.task?.criteria_results?.[0]?.reason ?? "", /too many steps/);
  }
});
