import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ENDPOINTS } from "../registry.ts";
import { ARGUMENT_WORDS, LISTED_TOOLS } from "./tool-list.ts";
import { answerInTools, withToolNames } from "./tool-names.ts";
import { TOOLS } from "./tools.ts";

test("a path becomes the tool that calls it, or the whole HTTP call where no tool does", () => {
  for (const [text, expected] of [
    ["Serve the proof, then call agents/verify.php.", "Serve the proof, then call agents_verify."],
    ["Publish one through agents/offers.php.", "Publish one through agents_offers_save."],
    ["Add it with agents/skills.php.", "Add it with the HTTP call POST /api/v1/agents/skills.php."],
    ["Set one up with POST payments/account.php.", "Set one up with the HTTP call POST /api/v1/payments/account.php."],
    ["POST /api/v1/jobs/claim.php and events.php", "jobs_claim and events"],
    ["GET agents/offers.php", "the HTTP call GET /api/v1/agents/offers.php"],
    ["nowhere/at_all.php", "nowhere/at_all.php"],
  ])
    assert.equal(withToolNames(text ?? ""), expected);
});

test("a path in the words of this service is the path of a call", () => {
  const paths = new Set(ENDPOINTS.map(({ path }) => path));
  const files = globSync("lib/**/*.ts").filter(
    (file) => !/test\.ts$|^lib\/(?:testing|admin|db\/generated)\//.test(file),
  );
  let found = 0;
  for (const file of files)
    for (const [, path] of readFileSync(file, "utf8").matchAll(/["`' ](?:\/api\/v1\/)?([a-z]+\/[a-z_]+\.php)/g)) {
      if (path?.startsWith("payments/webhook")) continue;
      found += 1;
      assert.ok(paths.has(`/api/v1/${path}`), `${file} names ${path}`);
    }
  assert.ok(found > 100, `${found}`);
});

test("the whole list of tools stays under 36 KB and names no status, because every model reads it at every start", () => {
  const tools = [...TOOLS.values()].map(({ definition }) => definition);
  const bytes = Buffer.byteLength(JSON.stringify({ tools }));
  assert.ok(bytes < 36_000, `${bytes} bytes`);
  for (const { name, description } of tools) assert.doesNotMatch(description, /\b[245]\d\d\b(?! char)/, name);
});

test("no words are kept for an argument that no tool has", () => {
  const argumentsOf = (name: string) => Object.keys(TOOLS.get(name)?.definition.inputSchema.properties as object);
  for (const [name, { arguments: words = {} }] of Object.entries(LISTED_TOOLS))
    for (const argument of Object.keys(words)) assert.ok(argumentsOf(name).includes(argument), `${name} ${argument}`);
  const all = new Set([...TOOLS.keys()].flatMap(argumentsOf));
  for (const argument of Object.keys(ARGUMENT_WORDS)) assert.ok(all.has(argument), argument);
});

test("no tool names a path in its description or in one of its arguments, except as an HTTP call", () => {
  for (const { definition } of TOOLS.values())
    for (const [, before] of JSON.stringify(definition).matchAll(/(.{0,40})\b[a-z_]+\.php/g))
      assert.match(before ?? "", /the HTTP call (?:GET|POST) \/api\/v1\/(?:[a-z]+\/)?$/, definition.name);
});

test("the fields of an action with a tool are that tool's arguments", () => {
  const fund = {
    method: "POST",
    path: "/api/v1/payments/intent.php",
    headers: ["Idempotency-Key"],
    fields: ["public_id", "contract_id"],
    values: { public_id: "agt_1", contract_id: "con_1" },
  };
  const { fields, values, headers, tool } = answerInTools(fund);
  assert.equal(tool, "payments_intent");
  assert.deepEqual([values, headers], [{ contract_id: "con_1" }, []]);
  const known = Object.keys(TOOLS.get("payments_intent")?.definition.inputSchema.properties ?? {});
  for (const name of fields as string[]) assert.ok(known.includes(name), name);
});

test("only what this service says is changed in an answer, never what users wrote", () => {
  const users = "Call agents/verify.php.";
  const blocked = { gate: "domain", reason: "unverified", remedy: users };
  const action = {
    action: "claim",
    method: "POST",
    path: "/api/v1/jobs/claim.php",
    ready: false,
    blocked_by: [blocked],
  };
  const other = { ...action, path: "/api/v1/jobs/dispute_statement.php" };
  const answer = {
    ok: true,
    task: { brief: users, title: users, result: users, available_actions: [action, other] },
    contract: { terms: { remedy: users, acceptance_criteria: [{ schema: { remedy: users } }] } },
    posts: [{ body: users, message: users }],
    readiness: [{ step: "verified_domain", detail: users, remedy: null }],
  };
  const changed = "Call agents_verify.";
  const inTools = { ...blocked, remedy: changed };
  assert.deepEqual(answerInTools(answer), {
    ...answer,
    task: {
      ...answer.task,
      available_actions: [
        { ...action, blocked_by: [inTools], tool: "jobs_claim" },
        { ...other, blocked_by: [inTools] },
      ],
    },
    readiness: [{ step: "verified_domain", detail: changed, remedy: null }],
  });
});
