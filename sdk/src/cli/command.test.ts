import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GuildhallError } from "../errors.ts";
import { COMMANDS } from "../generated/commands.ts";
import { CALL_OPTIONS, type Command, flagsOf, GLOBAL_OPTIONS, inputOf, penceOf, UsageError } from "./command.ts";
import { completionsOf } from "./completion.ts";
import { EXIT_CODES, exitCodeOf, report } from "./failure.ts";
import { exampleOf, helpOfCommand } from "./help.ts";
import { plain } from "./output.ts";
import { refuseSecrets } from "./secrets.ts";
import { startedAs } from "./started-as.ts";
import { VERSION } from "./version.ts";

const named = (name: string): Command => COMMANDS.find((each) => each.name.join(" ") === name) ?? assert.fail(name);

test("the command names itself as it was started, so that what it prints can be run", () => {
  const npx = { npm_command: "exec", npm_lifecycle_script: "guildhall whoami" };
  for (const script of ["guildhall", "guildhall whoami", "'guildhall' 'whoami'", '"guildhall" "whoami"'])
    assert.equal(startedAs({ ...npx, npm_lifecycle_script: script }), "npx --no-install guildhall", script);
  const others = [{}, { ...npx, npm_command: "run-script" }, { ...npx, npm_lifecycle_script: "node guildhall.js" }];
  for (const variables of others) assert.equal(startedAs(variables), "guildhall");
});

test("pounds become whole pence exactly, and anything else is refused", () => {
  for (const [pounds, pence] of [
    ["9.99", 999],
    ["0.07", 7],
    ["1", 100],
    ["1.5", 150],
    ["£4.35", 435],
    ["1.15", 115],
    ["0", 0],
  ] as const)
    assert.equal(penceOf("budget", pounds), pence, pounds);
  for (const wrong of ["", "1.999", "-1", "1,00", "1e3", ".5", "1.", "9.99p", "NaN"])
    assert.throws(() => penceOf("budget", wrong), UsageError, wrong);
});

test("an amount is given in pounds or in pence, not in both", () => {
  const create = named("jobs create");
  assert.equal(inputOf(create, { brief: "B", budget: "9.99" }, {}).budget_pence, 999);
  assert.equal(inputOf(create, { brief: "B", "budget-pence": "999" }, {}).budget_pence, 999);
  assert.throws(() => inputOf(create, { brief: "B", budget: "1", "budget-pence": "1" }, {}), /not both/);
  assert.throws(() => inputOf(create, { brief: "B" }, {}), /Missing: --budget\./);
});

test("names may share a flag, sentences may not", () => {
  assert.deepEqual(inputOf(named("agents skills"), { skills: ["a,b", "c"] }, {}).skills, ["a", "b", "c"]);
  const terms = {
    "task-id": "t",
    scope: "s",
    amount: "1",
    "data-terms": "d",
    "acceptance-criteria": ["One, two.", "Three."],
  };
  assert.deepEqual(inputOf(named("contracts create"), terms, {}).acceptance_criteria, ["One, two.", "Three."]);
  const checked = { ...terms, "acceptance-criteria": ["One.", '{"kind":"max_bytes","value":9}'] };
  assert.deepEqual(inputOf(named("contracts create"), checked, {}).acceptance_criteria, [
    "One.",
    { kind: "max_bytes", value: 9 },
  ]);
});

test("no flag of a field hides another flag of its command", () => {
  for (const { name, fields } of COMMANDS) {
    const flags = [...Object.keys({ ...GLOBAL_OPTIONS, ...CALL_OPTIONS }), ...fields.flatMap(flagsOf)];
    assert.equal(new Set(flags).size, flags.length, name.join(" "));
  }
  const save = named("agents offers-save");
  const offer = { skill: "s", description: "d", output: "o", limits: "l", price: "1", enabled: true };
  const input = inputOf(save, { ...offer, "field-input": "A text.", input: "other-fields.json" }, {});
  assert.equal(input.input, "A text.");
  assert.match(helpOfCommand(save), /\n {2}--field-input TEXT .*\n[\s\S]*\n {2}--input FILE /);
});

test("the help of an amount says pounds for --NAME and pence for --NAME-pence, never both of one flag", () => {
  for (const command of COMMANDS)
    for (const field of command.fields.filter(({ kind }) => kind === "pence")) {
      const [pounds, pence] = flagsOf(field);
      const lines = helpOfCommand(command).split("\n");
      const [inPounds, inPence] = [`  --${pounds} POUNDS `, `  --${pence} N `].map(
        (start) => lines.find((line) => line.startsWith(start)) ?? assert.fail(start),
      );
      assert.match(inPounds ?? "", /pounds/i);
      assert.doesNotMatch(inPounds ?? "", /pence/);
      assert.match(inPence ?? "", /pence, such as 999/);
      assert.ok(lines.includes("Amounts of money:"));
    }
});

test("every command has help with an example and the exit codes, and no secret has a flag", () => {
  for (const command of COMMANDS) {
    const help = helpOfCommand(command);
    const name = command.name.join(" ");
    assert.match(help, /\nExamples?:\n {2}guildhall /, name);
    assert.ok(exampleOf(command).startsWith(`guildhall ${name}`));
    for (const code of Object.keys(EXIT_CODES)) assert.ok(help.includes(`\n  ${code}  `), name);
    assert.doesNotMatch(help, /--(?:token|secret|claim-token|community-key|management-token)\b/, name);
    for (const { about, name: field, required } of command.fields)
      if (required) assert.notEqual(about, "", `${name} ${field}`);
  }
});

test("a secret among the arguments is refused, and not repeated", () => {
  for (const secret of [`ghm_${"A".repeat(43)}`, `ghc_${"b".repeat(43)}`, `whsec_${"c".repeat(32)}`])
    assert.throws(
      () => refuseSecrets(["jobs", "show", `--task-id=${secret}`]),
      (error: Error) => error instanceof UsageError && !error.message.includes(secret),
    );
  refuseSecrets(["jobs", "show", `tsk_${"A".repeat(22)}`]);
});

test("completion offers commands, then their flags", () => {
  assert.deepEqual(completionsOf(["jobs", "cr"], [], COMMANDS), ["create"]);
  assert.ok(completionsOf([""], [], COMMANDS).includes("community"));
  assert.deepEqual(completionsOf(["jobs", "create", "--bu"], [], COMMANDS), ["--budget", "--budget-pence"]);
});

test("others' text cannot control the terminal", () => {
  assert.equal(plain("a\x1b[2Jb\u202ec"), "a\ufffd[2Jb\ufffdc");
});

test("an error in JSON says how long to wait", () => {
  let text = "";
  const note = (line: string) => {
    text += line;
  };
  const facts = { code: "rate_limited", status: 429, retryable: true, retryAfterSeconds: 7 } as const;
  report({ isJson: true, isTerminal: false, line: note, note }, new GuildhallError("Slow.", facts));
  assert.equal(JSON.parse(text).error.retry_after_seconds, 7);
});

test("the version is the package's", () => {
  const manifest = join(import.meta.dirname, "../../package.json");
  assert.equal(VERSION, (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version);
  assert.equal(exitCodeOf(new Error("other")), 1);
});
