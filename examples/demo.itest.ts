import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { apiListener } from "#lib/api/listener.ts";
import { pythonFile } from "#lib/api/sdk/python.ts";
import { isApi } from "#lib/boot/front/paths.ts";
import { createProber, systemResolve } from "#lib/identity/domain/prober.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { announceService, localDomainsIn } from "#lib/kernel/env/local-domains.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { startSigning } from "#lib/record/log/signing-loop.ts";
import { startRecord } from "#lib/record/record.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { startTestService } from "#testing/client.ts";
import { atEnd, closePrograms, listen, until } from "#testing/examples/example-programs.ts";
import { pathWithCurl } from "#testing/examples/programs.ts";
import { missing } from "#testing/missing-program.ts";
import { PYTHON } from "#testing/python.ts";
import { buildSdk } from "#testing/sdk.ts";
import { signInListener } from "#testing/sign-in.ts";

const ROOT = join(import.meta.dirname, "..");
const PROGRAM = join(import.meta.dirname, "demo.ts");
/** The demo's own; the service under test announces itself here. */
const DATA_DIR = mkdtempSync(join(tmpdir(), "guildhall-demo-"));
let serviceUrl = "";
let withdrawAnnouncement = () => {};

before(async () => {
  const port = await freePort();
  // With the usual limits: the demo must stay within them.
  const service = await startTestService({
    BASE_URL: `http://127.0.0.1:${port}`,
    RATE_LIMIT_SCALE: "1",
    // The log is signed as with a database of the service's own.
    DATA_DIR,
    OWN_DATABASE: "1",
  });
  atEnd(() => service.stop());
  const record = startRecord();
  atEnd(() => record.stop());
  const signing = await startSigning();
  atEnd(() => signing.stop());
  serviceUrl = await listen(
    serve((_request, response) => response.end("a page")),
    port,
  );
  replaceProber(createProber({ resolve: systemResolve, devHosts: new Map(), local: localDomainsIn(DATA_DIR) }));
  withdrawAnnouncement = announceService(DATA_DIR, serviceUrl);
});

after(async () => {
  await closePrograms();
  rmSync(DATA_DIR, { recursive: true });
});

/** The API and signing in as they are, with these pages. */
function serve(pages: RequestListener) {
  const [api, signIn] = [apiListener(), signInListener()];
  return createHttpServer((request, response) => {
    const { url = "/" } = request;
    const listener = isApi(url) ? api : url.startsWith("/api/auth/") ? signIn : pages;
    listener(request, response);
  });
}

type Run = { code: number | null; output: string };

function startDemo(args: string[], variables: Record<string, string> = {}) {
  const { BASE_URL, DEV_HOSTS, ...env } = process.env;
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...(env as NodeJS.ProcessEnv), DATA_DIR, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs the demo; `interruptAt` is text after which it gets Ctrl-C. */
async function run(args: string[], variables: Record<string, string> = {}, interruptAt?: string): Promise<Run> {
  const child = startDemo(args, variables);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      if (interruptAt && output.includes(interruptAt)) child.kill("SIGINT");
    });
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, output };
}

function assertSettled(output: string): void {
  assert.match(output, /^Settlement stl_\w{22}: approved, TEST, simulated\. No money has moved\.$/m);
  for (const row of [/^ {2}gross +£9\.99$/m, /^ {2}fee +£1\.00 \(10 %\)$/m, /^ {2}net +£8\.99$/m])
    assert.match(output, row);
  assert.match(output, /^ {2}terms +sha256:[0-9a-f]{64}$/m);
  assert.ok(!/ghm_/.test(output), "a secret is printed");
  assert.match(output, /verifies the file, offline +proved/);
  assert.match(output, /changes one byte of an amount +caught: Entry \d+ /);
  assert.match(output, /verifies both files on its disk +proved: tyger\.txt, words\.csv$/m);
}

/** What the demo has left in its folder, apart from certificates, announcements and the evidence to verify. */
const leftovers = () =>
  readdirSync(join(DATA_DIR, "demo")).filter((name) => !/^(certificates|services|evidence\.json)$/.test(name));

/** Public IDs of all agents that the directory lists. */
async function listedAgents(): Promise<string[]> {
  const response = await fetch(new URL("/api/v1/agents/directory.php", serviceUrl));
  const { agents } = (await response.json()) as { agents: { public_id: string }[] };
  return agents.map(({ public_id }) => public_id);
}

test("two agents on a running service get from registration to settlement", async () => {
  // The service is found by its announcement.
  const { code, output } = await run([]);
  assert.equal(code, 0, output);
  assertSettled(output);
  for (const step of [/^alpha .* joins the community/m, /^beta .* sees the mention/m, /^alpha .* sees the reply/m])
    assert.match(output, step);
  assert.match(output, /^owner .* claims the herald with its link +Alpha Herald, claimed$/m);
  assert.match(output, /^owner .* posts as the herald +pst_\w{22}$/m);
  for (const page of ["feed", "thread", "herald", "network", "provider"])
    assert.match(output, new RegExp(`^ {2}${page} +http://`, "m"));
  assert.ok(!/gh[cmk]_/.test(output), "a secret is printed");
  const [listed = ""] = /tsk_\w{22}/.exec(/posts a listed task .*$/m.exec(output)?.[0] ?? "") ?? [];
  const shown = await fetch(new URL(`/api/v1/jobs/show.php?task_id=${listed}`, serviceUrl));
  const { task } = (await shown.json()) as { task: { state: string } };
  assert.equal(task.state, "cancelled", "the demo leaves an open task behind");
  assert.deepEqual(leftovers(), []);
});

test("a service that does not know the demo's domains is refused before anything is registered at it", async () => {
  const before = await listedAgents();
  withdrawAnnouncement();
  const { code, output } = await run([], { BASE_URL: serviceUrl });
  assert.equal(code, 1, output);
  assert.match(output, /cannot reach the demo's domains/);
  assert.match(output, /npm run demo -- --serve/);
  assert.deepEqual(await listedAgents(), before);
  assert.deepEqual(leftovers(), []);
  withdrawAnnouncement = announceService(DATA_DIR, serviceUrl);
});

test("the demo fails with the reason if no service answers, its file is not text, or an argument is unknown", async () => {
  const away = await run([], { BASE_URL: `http://127.0.0.1:${await freePort()}` });
  assert.equal(away.code, 1);
  assert.match(away.output, /No service answers at/);
  const binary = await run([process.execPath]);
  assert.equal(binary.code, 1);
  assert.match(binary.output, /cannot be read as text/);
  const unknown = await run(["--sevre"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.output, /npm run demo \[-- options\]/);
});

test("the demo fails if a page does not answer, and still cancels its tasks", async () => {
  const other = await listen(serve((_request, response) => response.writeHead(404).end()));
  withdrawAnnouncement();
  withdrawAnnouncement = announceService(DATA_DIR, other);
  const { code, output } = await run([], { BASE_URL: other });
  assert.equal(code, 1);
  assert.match(output, /The demo failed\.\n {2}http:\S+ answers 404 \(request: no ID\)/);
  assert.deepEqual(leftovers(), []);
  withdrawAnnouncement();
  withdrawAnnouncement = announceService(DATA_DIR, serviceUrl);
});

test("the demo ends when nobody reads its output any longer", async () => {
  // As with `npm run demo | head`.
  const child = startDemo([]);
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
    if (/^Guildhall at /m.test(output)) child.stdout?.destroy();
  });
  assert.equal(await new Promise((done) => child.once("exit", done)), 130, output);
  assert.deepEqual(leftovers(), []);
});

test("in a second demo, with --serve, the provider keeps working, and the first order of the docs runs as printed", async () => {
  await buildSdk();
  const place = mkdtempSync(join(DATA_DIR, "first-order-"));
  symlinkSync(join(ROOT, "node_modules"), join(place, "node_modules"));
  writeFileSync(join(place, "guildhall.py"), pythonFile());
  const child = startDemo(["--serve"]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = new Promise<number | null>((done) => child.once("close", done));
  try {
    await until(
      "the demo serves",
      async () => /^The provider keeps running until you press Ctrl-C/m.test(output) || undefined,
    );
    assertSettled(output);
    const orders: [string, string, string][] = [
      ["curl.sh", "sh", '{\\"words\\":3}\nstl_'],
      ["order.mts", process.execPath, '{"words":3} stl_'],
      ...(missing("python3") ? [] : [["order.py", PYTHON, "{'words': 3} stl_"] as [string, string, string]]),
    ];
    for (const [file, command, result] of orders) {
      const text = readFileSync(join(ROOT, "examples/first-order", file), "utf8");
      writeFileSync(join(place, file), text.replaceAll("http://localhost:3000", serviceUrl));
      const env = { ...process.env, PATH: pathWithCurl() };
      const { stdout, stderr } = await promisify(execFile)(command, [file], { cwd: place, env });
      assert.ok(stdout.includes(result), `${file}: ${stdout}${stderr}\n${output}`);
    }
    const evidence = JSON.parse(readFileSync(join(place, "evidence.json"), "utf8")) as { chain: string };
    const key = (await (await fetch(`${serviceUrl}/log/key`)).text()).trim();
    assert.equal((await verifyEvidence(evidence, { key })).verdict, "proved");
  } finally {
    child.kill("SIGINT");
  }
  assert.equal(await ended, 0, output);
});

test("a demo that is killed takes its service, the database and the provider with it", async () => {
  withdrawAnnouncement();
  const child = startDemo(["--serve"]);
  await new Promise<void>((done, fail) => {
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.includes("keep running until you press Ctrl-C")) done();
    });
    child.once("exit", () => fail(new Error(output)));
  });
  const started = [...descendants(child.pid ?? 0), databaseOf(child.pid ?? 0)];
  assert.equal(started.length, 4, "service, pages, provider and database");
  child.kill("SIGKILL");
  const deadline = Date.now() + 60_000;
  while (started.some(isAlive) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 200));
  assert.deepEqual(started.filter(isAlive), []);
});

/** The process of the database of a demo's own service. */
function databaseOf(demoPid: number): number {
  const folder = join(DATA_DIR, "demo", `service-${demoPid}`, "postgres");
  const note = join(folder, "cluster-is-elsewhere.txt");
  const place = existsSync(note) ? (readFileSync(note, "utf8").split("\n", 1)[0] ?? "") : folder;
  return Number(readFileSync(join(place, "cluster/postmaster.pid"), "utf8").split("\n", 1)[0]);
}

/** The processes that a process has started, and those that these have started. */
function descendants(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
  const all = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    all.flatMap(([child = 0, its]) => (its === parent ? [child, ...below(child)] : []));
  return below(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("with --serve and no running service the demo says why it starts its own, keeps it running until Ctrl-C, and then leaves nothing behind", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const abandoned = join(DATA_DIR, "demo", `service-${pid}`);
  for (const folder of [abandoned, join(DATA_DIR, "demo", `run-${pid}-abcdef`)]) mkdirSync(folder, { recursive: true });
  const variables = { DEV_HOSTS: "gamma.test=127.0.0.1:9445" };
  const { code, output } = await run(["--serve"], variables, "keep running until you press Ctrl-C");
  assert.equal(code, 0, output);
  assert.match(
    output,
    /^No running service was found that knows the demo's domains, so the demo starts its own\. DEV_HOSTS is set/m,
  );
  assertSettled(output);
  assert.ok(!existsSync(abandoned), "the data of a killed demo is still there");
  assert.deepEqual(leftovers(), []);
  const baseUrl = /^Guildhall at (http:\S+),/m.exec(output)?.[1] ?? "";
  await assert.rejects(fetch(new URL("/healthz", baseUrl)), TypeError);
});
