import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { suspendIdentity } from "../../../lib/admin/suspension.ts";
import { apiListener } from "../../../lib/api/listener.ts";
import { startRecord } from "../../../lib/record/record.ts";
import { admin, reason } from "../../../testing/administrator.ts";
import { startTestService } from "../../../testing/client.ts";
import { runGuildhall } from "../../../testing/command-line.ts";
import { atEnd, closePrograms, listen, openRelay, until } from "../../../testing/examples/example-programs.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "../../../testing/factories.ts";
import { Guildhall } from "../client.ts";

const PROGRAM = join(import.meta.dirname, "guildhall.ts");
const folder = mkdtempSync(join(tmpdir(), "guildhall-cli-"));
let baseUrl = "";

before(async () => {
  const service = await startTestService();
  atEnd(() => service.stop());
  const record = startRecord();
  atEnd(() => record.stop());
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  baseUrl = await listen(createServer(apiListener()));
});

after(closePrograms);

type Run = { code: number; out: string; err: string; json: () => Record<string, never> };
type Given = { env?: Record<string, string> };

function start(args: string[], { env = {} }: Given = {}) {
  const { GUILDHALL_BASE_URL: _, ...inherited } = process.env;
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...inherited, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, GUILDHALL_BASE_URL: baseUrl, ...env },
  });
}

/** A command line in this process, with nothing on a terminal. */
async function guildhall(args: string[], { env = {} }: Given = {}): Promise<Run> {
  const own = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, GUILDHALL_BASE_URL: baseUrl };
  const run = await runGuildhall(args, { ...own, ...env });
  return { ...run, json: () => JSON.parse(run.out) };
}

/** The same as a process of its own, with this on its standard input. */
async function guildhallProcess(args: string[], input: string): Promise<{ code: number; out: string; err: string }> {
  const child = start(args);
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  const code = await new Promise<number>((done) => child.once("close", done));
  return { code, out, err };
}

const variablesOf = ({ publicId, token }: TestAgent) => ({ GUILDHALL_PUBLIC_ID: publicId, GUILDHALL_TOKEN: token });

const SECRET = /gh[mck]_[\w-]{43}/;
const ABOUT = ["--name", "Counter", "--description", "Counts.", "--skills", "word-count", "--operator-authorized"];

test("register without an endpoint makes a requester, and setting one leads on to the proof", async () => {
  const profile = ["--profile", "orders"];
  const about = ["--name", "Orders only", "--description", "Orders.", "--operator-authorized"];
  const made = await guildhall(["register", ...about, ...profile]);
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /can order work.*guildhall agents profile --endpoint URL --profile orders$/m);
  const check = await guildhall(["verify-domain", ...profile]);
  assert.equal(check.code, 1, check.err);
  assert.match(check.err, /no endpoint/);
  const set = await guildhall(["agents", "profile", "--endpoint", "https://orders.example.com/", ...profile]);
  assert.equal(set.code, 0, set.err);
  assert.equal((await guildhall(["verify-domain", ...profile])).code, 0);
});

test("register stores the secrets for their owner alone, and prints the proof but never the token", async () => {
  const made = await guildhall(["register", ...ABOUT, "--endpoint", "https://cli.example.com/run"]);
  assert.equal(made.code, 0, made.err);
  assert.doesNotMatch(made.out + made.err, SECRET);
  const { public_id, verification } = made.json() as unknown as {
    public_id: string;
    verification: { url: string; token: string };
  };
  assert.match(made.err, new RegExp(`${verification.url}[^]*${verification.token}`));
  const file = join(folder, "guildhall/credentials.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(readFileSync(file, "utf8"), /ghm_[\w-]{43}/);

  const again = await guildhall(["register", ...ABOUT, "--endpoint", "https://cli.example.com/run"]);
  assert.equal(again.code, 2);
  assert.match(again.err, /--profile/);

  const verified = await guildhall(["verify-domain", "--wait"]);
  assert.equal(verified.code, 0, verified.err);
  const joined = await guildhall(["community", "join", "--public-consent", "--operator-authorized"]);
  assert.equal(joined.code, 0, joined.err);
  assert.doesNotMatch(joined.out + joined.err, SECRET);
  const who = await guildhall(["whoami"]);
  const facts = who.json() as unknown as {
    identity: { public_id: string };
    community: { profile: { public_id: string } };
  };
  assert.deepEqual([facts.identity.public_id, facts.community.profile.public_id], [public_id, public_id]);
  const posted = await guildhall(["community", "post", "--title", "Hello", "--body", "From a shell."]);
  assert.equal(posted.code, 0, posted.err);
});

test("a profile's claim link is stored, not printed, and --show-secret needs a terminal", async () => {
  const consent = ["--public-consent", "--operator-authorized"];
  const args = ["community", "register", "--name", "Herald", ...consent, "--profile", "herald"];
  const refused = await guildhall([...args, "--show-secret"]);
  assert.equal(refused.code, 2);
  const made = await guildhall(args);
  assert.equal(made.code, 0, made.err);
  assert.doesNotMatch(made.out + made.err, SECRET);
  const { profiles } = JSON.parse(readFileSync(join(folder, "guildhall/credentials.json"), "utf8"));
  assert.match(profiles.herald.claim_url, /#ghk_/);
  const claimToken = profiles.herald.claim_url.split("#")[1];
  const preview = await guildhallProcess(["community", "claim-preview"], `${claimToken}\n`);
  assert.equal(preview.code, 0, preview.err);
  assert.equal(JSON.parse(preview.out).profile.name, "Herald");
});

test("exit codes tell what kind of failure it was", async () => {
  const agent = await registerAgent();
  const env = variablesOf(agent);
  const missing = `tsk_${"1".repeat(22)}`;
  const requester = new Guildhall({ baseUrl, ...agent });
  const { task } = await requester.jobs.create({ brief: "Count.", budget_pence: 0 });
  const stranger = variablesOf(await registerAgent());
  const cases: [number, string[], Record<string, string>][] = [
    [0, ["jobs", "list"], {}],
    [0, ["jobs", "-h"], {}],
    [0, ["--json", "--profile", "nobody", "--base-url=http://127.0.0.1:1", "verify-domain", "--help"], {}],
    [2, ["--json", "--profile"], {}],
    [2, ["jobs", "create", "--nothing"], env],
    [2, ["jobs", "show", `--task-id=ghm_${"A".repeat(43)}`], env],
    [3, ["agents", "me", "--profile", "nobody"], {}],
    [3, ["agents", "me"], { ...env, GUILDHALL_TOKEN: `ghm_${"A".repeat(43)}` }],
    [4, ["jobs", "show", missing], env],
    [5, ["jobs", "create", "--brief", "B", "--budget", "1", "--skill", "Not A Skill"], env],
    [6, ["jobs", "claim", task.task_id], stranger],
    [7, ["status", "--base-url", "http://127.0.0.1:1"], {}],
    [7, ["--base-url", "http://127.0.0.1:1", "status"], {}],
  ];
  const runs = await Promise.all(cases.map(([, args, variables]) => guildhall(args, { env: variables })));
  for (const [at, { code, err }] of runs.entries())
    assert.equal(code, cases[at]?.[0], `${cases[at]?.[1].join(" ")}: ${err}`);
  assert.match(runs[10]?.err ?? "", /"gate": "domain"/);
});

test("verify and log watch have exit codes of their own, and verify uses words even when piped", async () => {
  const file = join(folder, "evidence.json");
  writeFileSync(file, "{}");
  const words = await guildhall(["verify", file]);
  assert.equal(words.code, 3);
  assert.throws(words.json);
  const report = await guildhall(["verify", file, "--json"]);
  assert.deepEqual([report.code, (report.json() as unknown as { verdict: string }).verdict], [3, "unreadable"]);
  assert.equal((await guildhall(["verify"])).code, 2);
  assert.equal((await guildhall(["log", "watch", "not-a-url"])).code, 1);
});

test("a provider that is killed at each step runs its program once, without secrets, and submits once", async () => {
  const provider = await verifiedAgent({ skills: ["word-count"] });
  const requester = new Guildhall({ baseUrl, ...(await registerAgent()) });
  const runs = join(folder, "runs.txt");
  const program = join(folder, "work.sh");
  // Each run notes the names of Guildhall's variables, and every variable with a secret.
  const notes = "env | grep -e ^GUILDHALL_ -e 'gh[mck]_' | cut -d= -f1 | sort | tr '\\n' ' '; echo";
  writeFileSync(program, `#!/bin/sh\n(${notes}) >> ${runs}\nwc -w\n`, { mode: 0o755 });
  const folders = "GUILDHALL_FILES_IN GUILDHALL_FILES_OUT \n";
  const faults = ["jobs/claim.php", "contracts/accept.php", "jobs/start.php", "jobs/submit.php", "jobs/submit.php"].map(
    (path, at) => ({ path, when: at === 3 ? ("before" as const) : ("after" as const) }),
  );
  let child: ReturnType<typeof start> | undefined;
  let isWanted = true;
  const relay = await openRelay(baseUrl, faults, () => void child?.kill("SIGKILL"));
  const env = { ...variablesOf(provider), GUILDHALL_BASE_URL: relay.url };
  const begin = () => {
    child = start(["provider", "--interval", "1", "--accept", "--min-pence", "100", "--", program], { env });
    child.stderr?.pipe(process.stderr);
    child.once("exit", () => isWanted && begin());
  };
  atEnd(() => {
    isWanted = false;
    child?.kill("SIGKILL");
  });
  begin();
  const order = { brief: "one two three", title: "Count", provider_public_id: provider.publicId };
  const cheap = await requester.jobs.create({ ...order, budget_pence: 99 });
  const { task } = await requester.jobs.create({ ...order, budget_pence: 100 });
  const state = (wanted: string) =>
    until(wanted, async () => {
      const shown = await requester.jobs.show({ task_id: task.task_id, history: "1" });
      return shown.task.state === wanted ? shown : undefined;
    });
  await state("claimed");
  const terms = { scope: "Words", amount_pence: 100, acceptance_criteria: [], data_terms: "None." };
  const { contract } = await requester.contracts.create({ task_id: task.task_id, ...terms });
  const { contract_id, terms_hash } = contract;
  await requester.contracts.accept({ contract_id, terms_hash });
  await state("accepted");
  const { payment } = await requester.payments.intent({ contract_id });
  await requester.payments.confirm({ payment_id: payment.payment_id, outcome: "succeed" });
  const submitted = await state("submitted");
  await until("all faults", () => relay.faults.length === 0 || undefined);
  assert.match(submitted.task.result ?? "", /\d+/);
  assert.equal(readFileSync(runs, "utf8"), folders);
  assert.equal(submitted.history?.filter(({ action }) => action === "submit").length, 1);
  assert.equal((await requester.jobs.show({ task_id: cheap.task.task_id })).task.state, "open");

  // Sent back, the work is done again.
  await requester.jobs.requestChanges({ task_id: task.task_id, reason: "Count again." });
  await state("submitted");
  assert.equal(readFileSync(runs, "utf8"), folders + folders);
});

test("a provider without --accept follows its events and waits for its operator, and a failed program submits nothing", async () => {
  const provider = await verifiedAgent({ skills: ["word-count"] });
  const requester = new Guildhall({ baseUrl, ...(await registerAgent()) });
  const operator = new Guildhall({ baseUrl, ...provider });
  const env = variablesOf(provider);
  // Long before the next look at its inbox: it follows its events.
  const child = start(["provider", "--interval", "600", "--", "sh", "-c", "cat >/dev/null; echo half; exit 3"], {
    env,
  });
  let out = "";
  child.stdout?.on("data", (chunk) => (out += chunk));
  atEnd(() => child.kill("SIGKILL"));
  const events = () =>
    out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { event: string; accept_with?: string; reason?: string });
  await until("the start", () => events().find(({ event }) => event === "started"));
  const { task } = await requester.jobs.create({ brief: "B", budget_pence: 0, provider_public_id: provider.publicId });
  const { task_id } = task;
  await until("the claim", () => events().find(({ event }) => event === "claimed"));
  const { contract } = await requester.contracts.create({
    task_id,
    scope: "S",
    amount_pence: 0,
    acceptance_criteria: [],
    data_terms: "None.",
  });
  const waiting = await until("waiting", () => events().find(({ event }) => event === "waiting"));
  assert.match(waiting.accept_with ?? "", new RegExp(`contracts accept --contract-id ${contract.contract_id}`));
  for (const guild of [requester, operator])
    await guild.contracts.accept({ contract_id: contract.contract_id, terms_hash: contract.terms_hash });
  const failed = await until("the failure", () => events().find(({ event }) => event === "failed"));
  assert.match(failed.reason ?? "", /exited with 3; nothing was submitted/);
  assert.equal((await requester.jobs.show({ task_id })).task.state, "in_progress");
  const ended = new Promise((done) => child.once("close", done));
  child.kill("SIGTERM");
  assert.equal(await ended, 0);
  assert.equal(events().at(-1)?.event, "stopped");
  assert.ok(!existsSync(join(folder, "guildhall/nothing")));
});

test("a provider tries a step that a gate refused once, and ends if its identity is refused", async () => {
  const provider = await registerAgent();
  const requester = new Guildhall({ baseUrl, ...(await registerAgent()) });
  await requester.jobs.create({ brief: "B", budget_pence: 0, provider_public_id: provider.publicId });
  const relay = await openRelay(baseUrl, [], () => undefined);
  const callsOf = (path: string) => relay.passed.filter((call) => call.path === path).length;
  const env = { ...variablesOf(provider), GUILDHALL_BASE_URL: relay.url };
  const running = guildhall(["provider", "--interval", "1", "--", "true"], { env });
  await until("three looks at the inbox", () => callsOf("jobs/inbox.php") >= 3 || undefined);
  await suspendIdentity(admin, { publicId: provider.publicId, reason });
  const run = await running;
  assert.equal(run.code, 1, run.err);
  assert.match(run.err, /identity_suspended/);
  assert.equal(callsOf("jobs/claim.php"), 1);
  assert.equal(run.out.split("\n").filter((line) => line.includes("gate_refused")).length, 1);
});
