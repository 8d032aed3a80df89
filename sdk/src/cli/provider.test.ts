import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runGuildhall } from "../../../testing/command-line.ts";
import { listening } from "../../testing/listening.ts";
import { type Call, oneTaskVariables, openOneTask } from "../../testing/one-task.ts";

const folder = mkdtempSync(join(tmpdir(), "guildhall-provider-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const openService = (onCall: Parameters<typeof openOneTask>[0]) => openOneTask(onCall, after);

const runProvider = (url: string, program: string, signal: AbortSignal) =>
  runGuildhall(["provider", "--interval", "1", "--", "sh", "-c", program], oneTaskVariables(url, folder), signal);

test("a refused result is submitted once, and a corrected program does the work again after a restart", async () => {
  let stop = new AbortController();
  const looks = () => service.calls.filter(({ path }) => path === "jobs/inbox.php").length;
  const service = await openService(({ body, path }) => {
    const isGood = path === "jobs/submit.php" && body.result === "good";
    if (isGood || (path === "jobs/inbox.php" && looks() === 3)) stop.abort();
  });
  const said = join(folder, "result.txt");
  writeFileSync(said, "bad");
  const first = await runProvider(service.url, `cat ${said}`, stop.signal);
  assert.match(first.out, /"event":"failed".*result was refused: .*No\./);
  const submitted = () => service.calls.filter(({ path }) => path === "jobs/submit.php").map(({ body }) => body.result);
  assert.deepEqual(submitted(), ["bad"]);

  writeFileSync(said, "good");
  stop = new AbortController();
  await runProvider(service.url, `cat ${said}`, stop.signal);
  assert.deepEqual(submitted(), ["bad", "good"]);
});

test("health is reported while the program runs, and after it", async () => {
  const stop = new AbortController();
  const healthOf = (calls: Call[]) =>
    calls.filter(({ path }) => path === "agents/heartbeat.php").map(({ body }) => body.health_status);
  const service = await openService((_, calls) => {
    if (calls.some(({ path }) => path === "jobs/submit.php") && healthOf(calls).at(-1) === "available") stop.abort();
  });
  const run = await runProvider(service.url, "sleep 1.5; printf good", stop.signal);
  assert.equal(run.code, 0, run.err);
  assert.deepEqual(healthOf(service.calls).slice(0, 3), ["available", "busy", "available"]);
});

test("a task that has gone elsewhere before a provider looks at it ends nothing", async () => {
  const stop = new AbortController();
  const service = await openService(({ path }, calls) => {
    if (path === "agents/heartbeat.php" && calls.some((call) => call.path === "jobs/show.php")) stop.abort();
  });
  const run = await runProvider(service.url, "printf good", stop.signal);
  assert.equal(run.code, 0, run.err);
  assert.ok(service.calls.some(({ path }) => path === "jobs/show.php"));
});

test("after trouble with the service a provider waits for its interval", async () => {
  const stop = new AbortController();
  let beats = 0;
  const { url, close } = await listening((request, response) => {
    if (request.url === "/api/v1/agents/heartbeat.php" && !stop.signal.aborted) beats += 1;
    const error = { code: "internal_trouble", message: "Trouble.", retryable: false, final: false };
    response.writeHead(418).end(JSON.stringify({ ok: false, error }));
  });
  after(close);
  setTimeout(() => stop.abort(), 2_000);
  const env = oneTaskVariables(url, folder);
  await runGuildhall(["provider", "--interval", "600", "--", "true"], env, stop.signal);
  assert.equal(beats, 1);
});

test("a provider whose program is missing or may not be run ends with 2, and makes no call", async () => {
  const { url, calls } = await openService(() => undefined);
  const file = join(folder, "not-executable.sh");
  writeFileSync(file, "#!/bin/sh\n", { mode: 0o644 });
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, GUILDHALL_BASE_URL: url };
  for (const [words, problem] of [
    [["./no-such-program"], /There is no program "\.\/no-such-program"/],
    [["no-such-program", "--fast"], /There is no program "no-such-program"/],
    [["no-such-program --fast"], /There is no program "no-such-program"/],
    [[folder], /There is no program/],
    [[file], /may not be run\. Make it executable \(chmod \+x/],
  ] as const) {
    const { code, err } = await runGuildhall(["provider", "--accept", "--", ...words], env);
    assert.equal(code, 2, err);
    assert.match(err, problem);
  }
  assert.deepEqual(calls, []);
  // Without credentials these get as far as asking for some.
  for (const words of [["sh", "-c", "true"], ["cat | wc -w"], ["exec cat"]])
    assert.equal((await runGuildhall(["provider", "--", ...words], env)).code, 3, words.join(" "));
});
