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
import { ADMINISTRATOR, type Printed, REASON, runAdmin, runHere, succeeds, WHY } from "#testing/admin-command.ts";
import { testService } from "#testing/client.ts";
import { proposed } from "#testing/community.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, taskAt } from "#testing/workflow.ts";
import { runCommandLine } from "./command-line.ts";
import { COMMANDS } from "./commands.ts";

let folder: string;
let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-admin-"));
  [requester, provider] = [await registerAgent(), await verifiedAgent()];
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

test("the options of an act reach it, and under one --act-id it is carried out once", async () => {
  const work = await taskAt(
    "submitted",
    { requester, provider },
    { amountPence: 1_000, task: { budget_pence: 1_000 } },
  );
  const { dispute } = await did(requester, "dispute", work);
  const split = ["resolve", dispute?.dispute_id ?? "", "split", "--provider-pence", "400"];
  const { settlement } = await runHere(...split);
  const { settlement_id: id, awarded_pence } = settlement as { settlement_id: string; awarded_pence: number };
  assert.equal(awarded_pence, 400);
  const { preview } = await runHere("refund", id, "--pence", "100", "--preview");
  assert.match(String(preview), /refund of £1\.00 \(simulated\)/);
  const again = ["refund", id, "--pence", "100", "--act-id", newId("act"), ...WHY];
  assert.deepEqual(await here(again), await here(again));
});

type Entry = { action: string; reason: string; actor: { kind: string; id: string }; subject: { id: string } };
const entries = async (...subject: string[]) => (await runHere("audit", ...subject)).events as Entry[];

test("the audit trail keeps who did what, to which subject and why", async () => {
  await runHere("hold", requester.publicId);
  await here(["unhold", requester.publicId, "--reason", "over"]);
  const events = await entries(requester.publicId);
  assert.deepEqual(
    events.slice(0, 2).map(({ action, reason, actor }) => [action, reason, actor]),
    [
      ["unhold", "over", { kind: "administrator", id: "command line" }],
      ["hold", REASON, { kind: "administrator", id: ADMINISTRATOR }],
    ],
  );
  assert.ok(events.every(({ subject, actor }) => subject.id === requester.publicId || actor.id === requester.publicId));
  assert.ok((await entries()).length > events.length);
});

test("disputes lists what waits for a decision, and shows one with what both parties say", async () => {
  const list = (...which: string[]) => runHere("disputes", ...which);
  const work = await taskAt("submitted", { requester, provider });
  const { dispute } = await did(requester, "dispute", work);
  const id = dispute?.dispute_id ?? "";
  const said = { dispute_id: id, statement: "It is all there." };
  await callAs(provider, "POST", "/api/v1/jobs/dispute_statement.php", said);
  const { disputes } = (await list()) as { disputes: { dispute_id: string; provider: { public_id: string } }[] };
  const listed = disputes.find((each) => each.dispute_id === id);
  assert.equal(listed?.provider.public_id, provider.publicId);
  const { dispute: whole } = (await list(id)) as { dispute: { statements: { role: string; statement: string }[] } };
  assert.deepEqual(
    whole.statements.map(({ role, statement }) => [role, statement]),
    [["provider", "It is all there."]],
  );
  assert.deepEqual(
    ((await list("resolved")) as { disputes: { dispute_id: string }[] }).disputes.filter(
      (each) => each.dispute_id === id,
    ),
    [],
  );
  await assert.rejects(list("closed"), /open, resolved/);
  await assert.rejects(list(newId("dsp")), /Not found/);
});

test("identities lists service identities, and profiles without one, by name, host or ID", async () => {
  const list = (...args: string[]) =>
    runHere("identities", ...args) as Promise<{
      identities?: { public_id: string; domain_status: string }[];
      profiles?: { public_id: string }[];
    }>;
  const { identities } = await list(provider.publicId);
  assert.deepEqual(
    identities?.map(({ public_id: id, domain_status: domain }) => [id, domain]),
    [[provider.publicId, "verified"]],
  );
  const profile = await proposed({ name: "Lonely heron" });
  assert.deepEqual(
    (await list("lonely heron", "--profiles")).profiles?.map(({ public_id: id }) => id),
    [profile.publicId],
  );
  assert.deepEqual((await list("lonely heron")).identities, []);
});
