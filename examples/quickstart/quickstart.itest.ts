import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pythonFile } from "#lib/api/sdk/python.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { call, provingProber, startTestService } from "#testing/client.ts";
import { pathWithCurl } from "#testing/examples/programs.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { mcpClient } from "#testing/mcp-clients.ts";
import { missing } from "#testing/missing-program.ts";
import { PYTHON } from "#testing/python.ts";
import { buildSdk } from "#testing/sdk.ts";
import { serveHttp } from "#testing/served.ts";
import { did, postTask, type Work } from "#testing/workflow.ts";

// The quick starts of /docs, run as they are printed, each in a folder of its own.

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, "../..");
const BIN = join(ROOT, "node_modules/.bin");
const noPython = missing("python3");

let service: Awaited<ReturnType<typeof startTestService>>;
let served: Awaited<ReturnType<typeof serveHttp>>;
let folder: string;
const stops: (() => Promise<unknown>)[] = [];
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-quickstart-"));
  // The log is signed as with a database of the service's own.
  service = await startTestService({ OWN_DATABASE: "1", DATA_DIR: join(folder, "data") });
  served = await serveHttp();
  const { startBackground } = await import("#lib/boot/background.ts");
  await startBackground((_name, stop) => stops.push(stop));
  await buildSdk();
  // Without npm, which takes longer than the command itself: `npx --no-install guildhall …` runs the command of node_modules.
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/npx"), '#!/bin/sh\nshift\nexec "node_modules/.bin/$@"\n', { mode: 0o755 });
});
after(async () => {
  for (const stop of stops.reverse()) await stop();
  await served.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

function start(command: string, args: string[], cwd: string, variables: Record<string, string> = {}) {
  const { GUILDHALL_PUBLIC_ID: _, GUILDHALL_TOKEN: __, ...inherited } = process.env;
  return spawn(command, args, {
    cwd,
    env: {
      ...inherited,
      PATH: [join(folder, "bin"), BIN, pathWithCurl()].join(delimiter),
      XDG_CONFIG_HOME: cwd,
      XDG_STATE_HOME: cwd,
      GUILDHALL_BASE_URL: served.url,
      PYTHONUNBUFFERED: "1",
      ...variables,
    },
  });
}

/**
 * Runs a program; `answers` are typed, the next one whenever its output ends in a prompt. Without any, its input is empty.
 * @param killAt it is killed as soon as its output matches
 */
async function run(command: string, args: string[], cwd: string, answers: (() => void)[] = [], killAt?: RegExp) {
  const child = start(command, args, cwd);
  let output = "";
  const waiting = [...answers];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      if (killAt?.test(output)) child.kill("SIGKILL");
      if (!/Press Enter [^\n]*$/.test(String(chunk))) return;
      waiting.shift()?.();
      child.stdin.write("\n");
    });
  child.stdin.on("error", () => undefined);
  if (answers.length === 0) child.stdin.end();
  const code = await new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  return { code, output };
}

/** A folder with the project's packages, as after `npm install guildhall-sdk`, which makes programs CommonJS by default. */
function emptyFolder(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  symlinkSync(join(ROOT, "node_modules"), join(place, "node_modules"));
  writeFileSync(join(place, "package.json"), '{ "type": "commonjs" }\n');
  return place;
}

type Start = { file: string; command: string; secrets: string[] };
const ENV_FILES = ["operator.env", "agent.env"];
const STARTS: Start[] = [
  { file: "curl.sh", command: "sh", secrets: ENV_FILES },
  { file: "python.py", command: PYTHON, secrets: ENV_FILES },
  { file: "sdk.mts", command: process.execPath, secrets: ENV_FILES },
  { file: "mcp.mts", command: process.execPath, secrets: ENV_FILES },
  { file: "cli.sh", command: "sh", secrets: ["guildhall/credentials.json"] },
];
/** What "in minutes" promises. A person also reads, and serves a file. */
const MOST_SECONDS = 300;
/** Whether this Python can check signatures. */
const checksSignatures = !noPython && spawnSync(PYTHON, ["-c", "import cryptography"]).status === 0;

const PROOF_LINE = /^https:\/\/alpha\.example\/\.well-known\/guildhall\/agt_\w{22}\.txt:?\s+ghv_[\w-]{43}$/m;

for (const { file, command, secrets } of STARTS) {
  /** The program as a reader has it: copied into a folder of its own. */
  const place = (name: string) => {
    const made = emptyFolder(`${file}-${name}`);
    copyFileSync(join(HERE, file), join(made, file));
    if (file.endsWith(".py")) writeFileSync(join(made, "guildhall.py"), pythonFile());
    return made;
  };
  const asks = file !== "cli.sh";
  const skip = command === PYTHON && noPython;

  test(`the quick start ${file} gets from a wrong proof to a settled task with evidence, and a second run changes nothing`, {
    skip,
  }, async (t) => {
    const at = place("whole");
    const known = new Set(await directory());
    const read = () => secrets.map((name) => readFileSync(join(at, name), "utf8")).join("");
    serveProof(asks ? "wrong" : "wrong once");
    const typed = [() => undefined, () => serveProof("right")];
    const began = performance.now();
    const first = await run(command, [file], at, asks ? typed : []);
    const seconds = (performance.now() - began) / 1_000;
    t.diagnostic(`${file}: settled after ${seconds.toFixed(1)} s`);
    assert.equal(first.code, 0, first.output);
    assert.ok(seconds < MOST_SECONDS, `${seconds} s`);
    assert.match(first.output.replaceAll("Serve this line at ", ""), PROOF_LINE);
    assert.match(first.output, /^Not verified yet\. .*serve exactly that text/m);
    assertSettled(file, first.output);
    const found = (await directory()).filter((id) => !known.has(id));
    assert.equal(found.length, 1, first.output);
    const kept = read();
    assert.match(kept, /ghm_[\w-]{43}/);
    for (const name of secrets) assert.equal(statSync(join(at, name)).mode & 0o777, 0o600);
    const narrow = await credentialOf(found[0] ?? "", /gha_[\w-]{43}/.exec(kept)?.[0] ?? "");
    assert.deepEqual([narrow.kind, narrow.scopes], ["access", ["report", "work"]]);
    assert.ok(Date.parse(narrow.expires_at) < Date.now() + 31 * 86_400_000);
    if (secrets === ENV_FILES) assert.doesNotMatch(readFileSync(join(at, "agent.env"), "utf8"), /ghm_/);

    const second = await run(command, [file], at);
    assert.equal(second.code, 0, second.output);
    assertSettled(file, second.output);
    const settled = (output: string) => /^Settled: (stl_\w{22})/m.exec(output)?.[1];
    assert.equal(settled(second.output), settled(first.output), "a second run does another task");
    assert.equal(read(), kept);
    assert.deepEqual(
      (await directory()).filter((id) => !known.has(id)),
      found,
      "a second run registers again",
    );
    const offers = await offersOf(found[0] ?? "");
    assert.equal(offers.length, 1, "a second run publishes again");
    assert.equal(offers[0]?.last_rehearsal?.state, "passed");
    assert.doesNotMatch(first.output + second.output, /gh[acmk]_[\w-]{43}/);

    if (secrets !== ENV_FILES) return;
    renameSync(join(at, "operator.env"), join(at, "vault"));
    const without = await run(command, [file], at);
    assert.equal(without.code, 1);
    assert.match(without.output, /^operator\.env is not here\. Take it back from your vault/m);
  });

  if (asks)
    test(`the quick start ${file} without a person says what to serve, and when it is run again goes on where it was killed`, {
      skip,
    }, async () => {
      const at = place("alone");
      serveProof("wrong");
      const first = await run(command, [file], at);
      assert.equal(first.code, 1, first.output);
      assert.match(first.output.replaceAll("Serve this line at ", ""), PROOF_LINE);
      const kept = readFileSync(join(at, "operator.env"), "utf8");
      serveProof("right");
      const killed = await run(command, [file], at, [], /^The task is proposed\.$/m);
      const second = await run(command, [file], at);
      assert.equal(second.code, 0, second.output);
      assertSettled(file, second.output);
      const ordered = (output: string) => /^Ordered: (tsk_\w{22})$/m.exec(output)?.[1];
      assert.equal(ordered(second.output), ordered(killed.output), "a second run orders again");
      assert.doesNotMatch(second.output, /^The task is open/m);
      assert.equal(readFileSync(join(at, "operator.env"), "utf8"), kept);
    });
}

/** What the agents' domains serve from now on. */
function serveProof(what: "right" | "wrong" | "wrong once"): void {
  let isWrong = what !== "right";
  replaceProber({
    probe: async ({ url }) => {
      const found = isWrong;
      if (what === "wrong once") isWrong = false;
      return found
        ? { ok: false, reason: "mismatch", detail: `The file at ${url} is wrong: serve exactly that text.` }
        : { ok: true };
    },
  });
}

/** Every step of the task is said once, and the last lines are the settlement and what the evidence proves. */
function assertSettled(file: string, output: string): void {
  assert.match(output, /^Settled: stl_\w{22}, 0 pence, TEST\.$/m);
  const usesPython = file === "python.py" || (file === "curl.sh" && !noPython);
  if (file === "curl.sh" && noPython) assert.match(output, /^The evidence is in evidence\.json: http.*\/verify says/m);
  else if (usesPython && !checksSignatures) assert.match(output, /^Consistent, but no signature was checked\./m);
  else assert.match(output, /^Proved: all \d+ entries are in the log of \S+, unchanged\.$/m);
  assert.match(output, /^Next: /m);
  const steps = output.match(/(?<=^The task is )\w+(?=\.$)/gm) ?? [];
  assert.equal(new Set(steps).size, steps.length, output);
}

type Shown = { last_rehearsal: { state: string } | null };
async function offersOf(publicId: string): Promise<Shown[]> {
  const query = { public_id: publicId };
  return (await call<{ offers: Shown[] }>("GET", "/api/v1/agents/offers.php", { query })).body.offers;
}

type Credential = { kind: string; scopes: string[]; expires_at: string };
async function credentialOf(publicId: string, token: string): Promise<Credential> {
  const query = { public_id: publicId };
  return (await call<{ credential: Credential }>("GET", "/api/v1/agents/me.php", { query, token })).body.credential;
}

/** The public IDs of agents that can be found and are available for counting words. */
async function directory(): Promise<string[]> {
  const query = { skill: "word-count", budget_pence: 500 };
  const { body } = await call<{ matches: { agent: { public_id: string } }[] }>("GET", "/api/v1/agents/match.php", {
    query,
  });
  return body.matches.map(({ agent }) => agent.public_id);
}

test("each configuration for an MCP client leads to the tools, with the token from its variable", async () => {
  const agent = await registerAgent();
  const place = join(ROOT, "examples/mcp");
  const files = readdirSync(place);
  assert.equal(files.length, 5);
  for (const file of files) {
    const text = readFileSync(join(place, file), "utf8").replaceAll("http://localhost:3000", served.url);
    const { url, authorization } = file.endsWith(".toml") ? fromToml(text) : fromJson(text);
    assert.equal(url, `${served.url}/mcp`, file);
    const filled = authorization.replace(/\$\{?[\w:-]+\}?/, agent.token);
    const client = await mcpClient("2025-11-25", url, { Authorization: filled });
    const me = await client.call<{ identity: { public_id: string } }>("agents_me");
    assert.equal(me.identity.public_id, agent.publicId, file);
    await client.close();
  }
});

function fromJson(text: string) {
  type Server = { url?: string; httpUrl?: string; headers: { Authorization: string } };
  const { mcpServers, servers } = JSON.parse(text) as Record<"mcpServers" | "servers", { guildhall: Server }>;
  const { url, httpUrl, headers } = (mcpServers ?? servers).guildhall;
  return { url: url ?? httpUrl ?? "", authorization: headers.Authorization };
}

function fromToml(text: string) {
  const value = (name: string) => new RegExp(`^${name} = "(.*)"$`, "m").exec(text)?.[1] ?? "";
  return { url: value("url"), authorization: `Bearer $${value("bearer_token_env_var")}` };
}

/** Each takes what an order needs from its folder or its variables, and accepts terms from 100 pence on. */
const PROVIDERS = [
  {
    name: "in Python",
    skip: noPython,
    command: PYTHON,
    program: "provider.py",
    variables: () => ({ GUILDHALL_BASE_URL: "", MINIMUM_PENCE: "100" }),
    result: '{"words": 6}',
  },
  {
    name: "that works through MCP alone",
    skip: false,
    command: process.execPath,
    program: "mcp-agent.ts",
    variables: ({ token }: TestAgent) => ({ GUILDHALL_TOKEN: token, ACCEPT_FROM_PENCE: "100" }),
    result: "6 words",
  },
];
for (const { name, skip, command, program, variables, result } of PROVIDERS)
  test(`the provider ${name} takes a task from its inbox to a submitted result`, { skip }, async () => {
    replaceProber(provingProber);
    const [requester, provider] = [await verifiedAgent(), await verifiedAgent({ skills: ["word-count"] })];
    const at = emptyFolder(program);
    writeFileSync(join(at, "guildhall.py"), pythonFile());
    // As the quick starts write it.
    const agent = `GUILDHALL_BASE_URL=${served.url}\nGUILDHALL_PUBLIC_ID=${provider.publicId}\nGUILDHALL_TOKEN=${provider.token}\n`;
    writeFileSync(join(at, "agent.env"), agent);
    const child = start(command, [join(ROOT, "examples", program)], at, {
      POLL_SECONDS: "0.5",
      PYTHONPATH: at,
      ...variables(provider),
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    try {
      const task = await postTask(requester, { provider_public_id: provider.publicId });
      const work: Work = { requester, provider, taskId: task.task_id, amountPence: 500, ...NO_IDS };
      await reaches(work, "claimed", () => output);
      await did(requester, "propose", work);
      await did(requester, "accept", work);
      await reaches(work, "accepted", () => output);
      await did(requester, "fund", work);
      await did(requester, "confirm", work);
      const done = await reaches(work, "submitted", () => output);
      assert.equal(done.result, result);
    } finally {
      const ended = new Promise((settled) => child.once("close", settled));
      child.kill();
      await ended;
    }
  });

const NO_IDS = { contractId: "", termsHash: "", paymentId: "" };

test("the program for the Vercel AI SDK runs as printed, with the version that the page names", async () => {
  const agent = await registerAgent();
  const at = emptyFolder("frameworks");
  const text = readFileSync(join(ROOT, "examples/frameworks/vercel-ai-sdk.mjs"), "utf8");
  writeFileSync(join(at, "program.mjs"), text.replaceAll("http://localhost:3000", served.url));
  const child = start(process.execPath, ["program.mjs"], at, { GUILDHALL_TOKEN: agent.token });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  assert.equal(await new Promise((done) => child.once("close", done)), 0, output);
  assert.match(output, /^\d\d tools\n/);
  assert.ok(output.includes(agent.publicId), output);
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const page = readFileSync(join(ROOT, "lib/api/documents/frameworks.md"), "utf8");
  assert.ok(page.includes(`\`@ai-sdk/mcp\` ${devDependencies["@ai-sdk/mcp"]}.`));
});

type Seen = { state: string; result?: string | null };

async function reaches(
  { requester, taskId }: Pick<Work, "requester" | "taskId">,
  state: string,
  output: () => string,
): Promise<Seen> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { task } = await show(requester, taskId);
    if (task.state === state) return task;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`The task did not become ${state}.\n${output()}`);
}

async function show(agent: TestAgent, taskId: string): Promise<{ task: Seen }> {
  const query = { task_id: taskId, public_id: agent.publicId };
  return (await call<{ task: Seen }>("GET", "/api/v1/jobs/show.php", { token: agent.token, query })).body;
}
