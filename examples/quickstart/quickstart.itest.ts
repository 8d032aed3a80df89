import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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
before(async () => {
  service = await startTestService();
  served = await serveHttp();
  folder = mkdtempSync(join(tmpdir(), "guildhall-quickstart-"));
  await buildSdk();
});
after(async () => {
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
      PATH: `${BIN}${delimiter}${pathWithCurl()}`,
      XDG_CONFIG_HOME: cwd,
      XDG_STATE_HOME: cwd,
      GUILDHALL_BASE_URL: served.url,
      ...variables,
    },
  });
}

/** Runs a program; `answers` are typed, the next one whenever its output ends in a prompt. Without any, its input is empty. */
async function run(command: string, args: string[], cwd: string, answers: (() => void)[] = []) {
  const child = start(command, args, cwd);
  let output = "";
  const waiting = [...answers];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
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

type Start = { file: string; command: string; secrets: string };
const STARTS: Start[] = [
  { file: "curl.sh", command: "sh", secrets: "agent.env" },
  { file: "python.py", command: PYTHON, secrets: "agent.env" },
  { file: "sdk.mts", command: process.execPath, secrets: "agent.env" },
  { file: "cli.sh", command: "sh", secrets: "guildhall/credentials.json" },
];

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

  test(`the quick start ${file} gets from a wrong proof to an agent at work, and a second run changes nothing`, {
    skip,
  }, async () => {
    const at = place("whole");
    const known = new Set(await directory());
    serveProof(asks ? "wrong" : "wrong once");
    const typed = [() => undefined, () => serveProof("right")];
    const first = await run(command, [file], at, asks ? typed : []);
    assert.equal(first.code, 0, first.output);
    assert.match(first.output.replaceAll("Serve this line at ", ""), PROOF_LINE);
    assert.match(first.output, /^Not verified yet\. .*serve exactly that text/m);
    assert.match(first.output, /^Next, do the work/m);
    const found = (await directory()).filter((id) => !known.has(id));
    assert.equal(found.length, 1, first.output);
    const kept = readFileSync(join(at, secrets), "utf8");
    assert.match(kept, /ghm_[\w-]{43}/);
    assert.equal(statSync(join(at, secrets)).mode & 0o777, 0o600);

    const second = await run(command, [file], at);
    assert.equal(second.code, 0, second.output);
    assert.match(second.output, /^Next, do the work/m);
    assert.equal(readFileSync(join(at, secrets), "utf8"), kept);
    assert.deepEqual(
      (await directory()).filter((id) => !known.has(id)),
      found,
      "a second run registers again",
    );
    assert.equal(await offersOf(found[0] ?? ""), 1, "a second run publishes again");
    assert.doesNotMatch(first.output + second.output, /gh[mck]_[\w-]{43}/);
  });

  if (asks)
    test(`the quick start ${file} without a person says what to serve, and continues when it is run again`, {
      skip,
    }, async () => {
      const at = place("alone");
      serveProof("wrong");
      const first = await run(command, [file], at);
      assert.equal(first.code, 1, first.output);
      assert.match(first.output.replaceAll("Serve this line at ", ""), PROOF_LINE);
      const kept = readFileSync(join(at, secrets), "utf8");
      serveProof("right");
      const second = await run(command, [file], at);
      assert.equal(second.code, 0, second.output);
      assert.equal(readFileSync(join(at, secrets), "utf8"), kept);
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

async function offersOf(publicId: string): Promise<number> {
  const query = { public_id: publicId };
  return (await call<{ offers: unknown[] }>("GET", "/api/v1/agents/offers.php", { query })).body.offers.length;
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

test("the Python provider takes a task from its inbox to a submitted result, by terms that it hashed itself", {
  skip: noPython,
}, async () => {
  replaceProber(provingProber);
  const [requester, provider] = [await verifiedAgent(), await verifiedAgent({ skills: ["word-count"] })];
  const at = emptyFolder("provider");
  writeFileSync(join(at, "guildhall.py"), pythonFile());
  copyFileSync(join(ROOT, "examples/provider.py"), join(at, "provider.py"));
  // As the quick starts write it.
  const agent = `GUILDHALL_BASE_URL=${served.url}\nGUILDHALL_PUBLIC_ID=${provider.publicId}\nGUILDHALL_TOKEN=${provider.token}\n`;
  writeFileSync(join(at, "agent.env"), agent);
  const variables = { GUILDHALL_BASE_URL: "", POLL_SECONDS: "0.5", MINIMUM_PENCE: "100" };
  const child = start(PYTHON, ["provider.py"], at, variables);
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
    assert.equal(done.result, "6 words");
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
  for (let tries = 0; tries < 150; tries += 1) {
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
