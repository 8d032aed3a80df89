import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadEnv } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { parsePrivateKey } from "#lib/record/log/private-key.ts";
import { formatVkey } from "#sdk/tlog/note.ts";
import { type Printed, runAdmin, runHere, succeeds, WHY } from "#testing/admin-command.ts";
import { testService } from "#testing/client.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { runCommandLine } from "./command-line.ts";
import { COMMANDS } from "./commands.ts";

let folder: string;
let provider: TestAgent;
testService({}, async () => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-admin-"));
  provider = await verifiedAgent();
  return () => rmSync(folder, { recursive: true });
});

test("without a command it lists the commands and fails", async () => {
  const { code, out, err } = await runAdmin(folder, []);
  assert.deepEqual([code, (JSON.parse(out) as Printed).error?.code], [1, "invalid_input"]);
  for (const name of COMMANDS.keys()) assert.match(err, new RegExp(`^  ${name}\\b`, "m"));
});

test("--help and help list the commands and succeed", async () => {
  const { code, out, err } = await runAdmin(folder, ["--help"]);
  assert.deepEqual([code, err], [0, ""]);
  for (const name of COMMANDS.keys()) assert.match(out, new RegExp(`^  ${name}\\b`, "m"));
  assert.equal(await here(["help"]), out.trimEnd());
});

/** Runs a command line in this process, on the test's database. */
const here = (args: string[]) => runCommandLine(args, (_env, work) => work());

test("a mistyped command, option, value or ID is answered with what was probably meant or is missing", async () => {
  const mistakes: [args: string[], words: RegExp][] = [
    [["constructor"], /no command "constructor"\. .*--help/],
    [["suspendd", newId("agt")], /no command "suspendd": did you mean suspend\? .*--help/],
    [["suspend"], /"suspend" has no PUBLIC_ID\. Usage: npm run admin -- suspend PUBLIC_ID/],
    [["suspend", newId("agt"), "please"], /one argument too many: please\. Usage/],
    [["suspend", newId("agt"), "--resaon", "x"], /no option --resaon: did you mean --reason\?/],
    [["suspend", "Alpha", ...WHY], /PUBLIC_ID .*must be agt_ and 22 characters: Alpha/],
    [["demote", "Alpha", ...WHY], /own_ and 22 characters or an e-mail address/],
    [["risk", newId("agt"), "hihg", ...WHY], /RISK must be one of low, normal, high: did you mean high\?/],
    [["restore", newId("agt")], /no file .*agt_.*unsuspend/],
  ];
  for (const [args, words] of mistakes) await assert.rejects(here(args), words, args.join(" "));
});

test("a command that changes something needs a reason, and does nothing without one", () =>
  changesNothing("a command without a reason", async () => {
    await assert.rejects(here(["hold", newId("tsk"), "--reason", "  "]), /--reason/);
    const free = [...COMMANDS].filter(([, command]) => !("changes" in command && command.changes));
    assert.deepEqual(
      free.map(([name]) => name).sort(),
      [
        ...[
          "administrators",
          "appeals",
          "audit",
          "backup",
          "check",
          "disputes",
          "evidence",
          "held-posts",
          "identities",
        ],
        ...["keys", "log-key"],
        ...["migrate", "reports", "restore", "server-json", "stripe-check", "tax-year-export", "witness-key"],
      ],
      "commands that ask for no reason",
    );
  }));

test("a reason that contains a token is refused, and not repeated", () =>
  changesNothing("a reason with a token", async () => {
    await assert.rejects(
      here(["hold", provider.publicId, "--reason", `Leaked: ${provider.token}`]),
      ({ message }) => /must not contain a token/.test(message) && !message.includes(provider.token),
    );
  }));

test("a new key for the log is printed under the origin of BASE_URL or a given one, without a database", () =>
  changesNothing("a new key", async () => {
    const none = { DATABASE_URL: "", DIRECT_DATABASE_URL: "", AUTH_SECRET: "", BASE_URL: "https://guild.example" };
    const made = JSON.parse((await runAdmin(folder, ["log-key", "--new"], none)).out) as Printed;
    assert.equal(made.origin, "guild.example/log");
    const key = parsePrivateKey(String(made.log_signing_key));
    assert.deepEqual([key?.name, key && formatVkey(key)], [made.origin, made.vkey]);
    assert.equal(loadEnv({ LOG_SIGNING_KEY: String(made.log_signing_key) }).logSigningKey, made.log_signing_key);
    const other = await runHere("log-key", "--new", "--origin", "guild.example/log/2");
    assert.match(String(other.log_signing_key), /^PRIVATE\+KEY\+guild\.example\/log\/2\+/);
    for (const wrong of [["--new"], ["--new", "--origin", "a b"], ["--origin", "guild.example/log"]])
      await assert.rejects(runHere("log-key", ...wrong), /--origin/);
    assert.deepEqual(readdirSync(folder), []);
  }));

test("migrate says what it applied", async () => {
  assert.deepEqual(await succeeds(folder, "migrate"), { ok: true, applied: [], warnings: [] });
});

test("mistakes in the arguments are reported as JSON with usage, never with a stack trace", () =>
  changesNothing("a mistaken command", async () => {
    const { code, out, err } = await runAdmin(folder, ["audit", "--unknown-option"]);
    assert.equal(code, 1);
    assert.doesNotMatch(out + err, /\n\s+at |node:internal|\.ts:\d/);
    assert.equal((JSON.parse(out) as Printed).ok, false);
    const refused: [name: string, args: string[], code: string][] = [
      ["suspend", ["nobody"], "invalid_input"],
      ["suspend", [newId("agt")], "not_found"],
      ["suspend", [newId("tsk")], "invalid_input"],
      ["hold", [newSecret("ghm")], "invalid_input"],
      ["deny", [provider.publicId, "breathe"], "invalid_input"],
      ["risk", [provider.publicId, "enormous"], "invalid_input"],
      ["quota", [provider.publicId, "posts", "5"], "invalid_input"],
      ["quota", [provider.publicId, "offers", "many"], "invalid_input"],
      ["quota", [provider.publicId, "offers", "-1"], "invalid_input"],
      ["quota", [newId("agt"), "offers", "5"], "not_found"],
      ["resolve", [newId("dsp"), "both"], "invalid_input"],
      ["resolve", [newId("dsp"), "provider"], "not_found"],
      ["refund", [newId("stl")], "not_found"],
      ["refund", [newId("tsk")], "invalid_input"],
      ["send-transfer", [newId("stl")], "not_found"],
      ["reverse-transfer", [newId("stl")], "not_found"],
      ["unhold", [newId("tsk")], "not_found"],
      ["allow", [newId("agt"), "claim"], "not_found"],
    ];
    for (const [name, args, code] of refused)
      await assert.rejects(async () => runHere(name, ...args), { code }, `${name} ${args.join(" ")}`);
  }));

test("a secret from the environment is not replaced, and the command says how to replace it", () =>
  changesNothing("a refused rotation", async () => {
    const refusal = { code: "state_conflict", message: /AUTH_SECRET_PREVIOUS.*restart/ };
    await assert.rejects(here(["rotate-secret", ...WHY]), refusal);
  }));
