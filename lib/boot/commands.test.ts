import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommandLine } from "./command-line.ts";
import { COMMANDS, sentenceOf, tableOf, usageOf } from "./commands.ts";

const ROOT = join(import.meta.dirname, "../..");

test("two commands of one name are refused, so that none can hide another", () => {
  const group = Object.fromEntries(COMMANDS);
  assert.throws(() => tableOf(group, { restore: group.restore as never }), /Two commands .* the name restore/);
});

test("--help lists every command once, and the help of each has its usage and its example", async () => {
  const all = String(await runCommandLine(["--help"]));
  for (const [name, command] of COMMANDS) {
    assert.equal(all.split("\n").filter((line) => line === `  ${usageOf(name, command)}`).length, 1, name);
    for (const help of [await runCommandLine([name, "--help"]), await runCommandLine(["-h", name])]) {
      assert.ok(String(help).startsWith(`Usage: npm run admin -- ${usageOf(name, command)}\n`));
      assert.ok(String(help).endsWith(`Example:\n  npm run admin -- ${command.example}`));
      for (const option of command.options ?? []) assert.match(String(help), new RegExp(`\n  --${option}\\b.* \\w`));
    }
    assert.ok(command.example.startsWith(name));
  }
});

test("docs/administration.md lists the commands as they are", () => {
  const rows = [...COMMANDS].map(
    ([name, command]) => `| \`${usageOf(name, command).replaceAll("|", "\\|")}\` | ${sentenceOf(command)} |`,
  );
  const wanted = ["| command | what it does |", "|---|---|", ...rows].join("\n");
  const [, section = ""] = readFileSync(join(ROOT, "docs/administration.md"), "utf8").split("\n## Commands\n");
  const table = section
    .split("\n## ")[0]
    ?.split("\n")
    .filter((line) => line.startsWith("|"))
    .join("\n");
  assert.equal(table, wanted, `the table under "Commands" must be:\n\n${wanted}\n`);
});
