import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { chromium } from "playwright";
import { ensureBrowser, systemBrowser } from "../../testing/browser.ts";
import { startTestService } from "../../testing/client.ts";
import { atEnd, closePrograms, listen } from "../../testing/examples/example-programs.ts";
import { registerAgent, verifiedAgent } from "../../testing/factories.ts";
import { buildSdk } from "../../testing/sdk.ts";
import { serveHttp } from "../../testing/served.ts";

// The package as others get it: from the service, installed in an empty folder, and loaded by a page of another origin.

const ROOT = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "guildhall-package-"));
const app = join(folder, "app");
const installed = join(app, "node_modules/guildhall-sdk");
let served: Awaited<ReturnType<typeof serveHttp>>;

// The service is in this process, so nothing may block it.
const npm = (...args: string[]) => run("npm", [...args, "--no-audit", "--no-fund", "--no-update-notifier"]);
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: app, encoding: "utf8" });

before(async () => {
  await buildSdk();
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const service = await startTestService();
  served = await serveHttp();
  await npm("install", `${served.url}/guildhall-sdk.tgz`);
  atEnd(() => service.stop());
  atEnd(() => served.close());
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
});

after(closePrograms);

test("the package is the one that npm packs from the source, byte for byte, with the integrity that the docs show", async () => {
  const answer = await fetch(`${served.url}/guildhall-sdk.tgz`);
  assert.equal(answer.headers.get("content-type"), "application/gzip");
  assert.match(answer.headers.get("cache-control") ?? "", /^public, max-age=/);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  const bytes = Buffer.from(await answer.arrayBuffer());
  const known = { "If-None-Match": answer.headers.get("etag") ?? "" };
  assert.equal((await fetch(`${served.url}/guildhall-sdk.tgz`, { headers: known })).status, 304);
  // Built again, from the same sources.
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "sdk/build.mjs")], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  await npm("pack", join(ROOT, "sdk"), "--ignore-scripts", "--pack-destination", folder);
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? assert.fail("no package");
  assert.ok(bytes.equals(readFileSync(join(folder, packed))), "the bytes differ");
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const docs = await (await fetch(`${served.url}/docs/quick-start.md`)).text();
  assert.ok(docs.includes(integrity), docs.slice(0, 3_000));
  const lock = JSON.parse(readFileSync(join(app, "package-lock.json"), "utf8"));
  assert.equal(lock.packages["node_modules/guildhall-sdk"].integrity, integrity);
  const { stdout } = await run("npx", ["guildhall", "--version"]);
  assert.equal(stdout.trim(), packed.replace(/^guildhall-sdk-|\.tgz$/g, ""));
});

test("it has no dependencies, builds nothing where it is installed, and holds neither tests nor sources", () => {
  const { dependencies, scripts } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) assert.ok(!(script in scripts), script);
  assert.deepEqual(
    readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith(".")),
    ["guildhall-sdk"],
  );
  const files = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" });
  assert.ok(!files.some((file) => /test|made-up|(?<!\.d)\.ts$/.test(file)));
});

test("an uncaught error shows its message and a readable stack, in lines of less than 200 characters", async () => {
  const agent = await registerAgent();
  const program = `
    import { Guildhall } from "guildhall-sdk";
    const guild = new Guildhall({ baseUrl: ${JSON.stringify(served.url)}, publicId: "${agent.publicId}", token: "${agent.token}" });
    const { task } = await guild.jobs.create({ brief: "Count.", budget_pence: 0 });
    await guild.jobs.claim({ task_id: task.task_id });
  `;
  writeFileSync(join(app, "uncaught.js"), program);
  const { stderr } = await run(process.execPath, ["uncaught.js"]).then(
    () => assert.fail("the claim succeeded"),
    (error: { stderr: string }) => error,
  );
  const lines = stderr.split("\n");
  assert.deepEqual(
    lines.filter((line) => line.length >= 200),
    [],
  );
  const message = lines.findIndex((line) => line.startsWith("GateRefused: POST /api/v1/jobs/claim.php: Blocked by"));
  // Before it Node shows the line that threw.
  assert.ok(message >= 0 && message <= 5, stderr);
  assert.match(stderr, /\n {4}at async file:.*uncaught\.js:5/);
  assert.match(stderr, /\n {4}at .*guildhall-sdk\/dist\/error-of\.js:\d+/);
});

test("it works in an empty folder: client, verifier and command line", async () => {
  const agent = await verifiedAgent();
  const program = `
    import { Guildhall, NotFound, verifyWebhook } from "guildhall-sdk";
    import { verify, verifyEvidence } from "guildhall-sdk/verify";
    const guild = new Guildhall({ baseUrl: ${JSON.stringify(served.url)}, publicId: "${agent.publicId}", token: "${agent.token}" });
    const { task } = await guild.jobs.create({ brief: "Count.", budget_pence: 0 });
    const found = [];
    for await (const each of guild.jobs.mine({ limit: 1 })) found.push(each.task_id);
    const missing = await guild.jobs.show({ task_id: "tsk_" + "1".repeat(22) }).catch((error) => error);
    const { verdict } = await verifyEvidence({});
    const isSame = verify === verifyEvidence;
    console.log(JSON.stringify([found[0] === task.task_id, missing instanceof NotFound, missing.name, verdict, typeof verifyWebhook, isSame]));
  `;
  writeFileSync(join(app, "program.js"), program);
  const { stdout } = await run(process.execPath, ["program.js"]);
  assert.deepEqual(JSON.parse(stdout), [true, true, "NotFound", "unreadable", "function", true]);
  const bin = join(app, "node_modules/.bin/guildhall");
  assert.ok(existsSync(bin));
  const shown = await run(process.execPath, [join(installed, "bin/guildhall.js"), "agents", "show", agent.publicId]);
  assert.equal(JSON.parse(shown.stdout).agent.public_id, agent.publicId);
});

function run(program: string, args: string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, GUILDHALL_BASE_URL: served.url, XDG_CONFIG_HOME: folder };
  return promisify(execFile)(program, args, { cwd: app, env });
}

test("its types compile under strict with TypeScript 5 and 7, with and without a bundler", () => {
  const program = `
    import { Guildhall, GateRefused, type GuildhallEvent, type Task } from "guildhall-sdk";
    import { verify, verifyEvidence, type Report } from "guildhall-sdk/verify";
    export const sameVerifier: typeof verifyEvidence = verify;
    const guild = new Guildhall({ baseUrl: "https://guildhall.example", timeoutMs: 1_000 });
    export async function work(): Promise<Task[]> {
      const tasks: Task[] = [];
      for await (const task of guild.jobs.inbox({ limit: 10 })) tasks.push(task);
      const { settlement } = await guild.jobs.complete({ task_id: "tsk_1" }, { signal: AbortSignal.timeout(5) });
      const pence: number = settlement.net_pence;
      const hash: string = guild.terms.hash({ pence });
      const event: GuildhallEvent = guild.webhooks.verify({}, "", hash);
      const report: Report = await verifyEvidence({}, { key: event.type });
      // @ts-expect-error: a task needs a brief
      await guild.jobs.create({ budget_pence: report.statements.length }).catch((error) => error instanceof GateRefused && error.gates);
      return tasks;
    }
  `;
  writeFileSync(join(app, "program.ts"), program);
  const ours = createRequire(import.meta.url);
  const manifests = [ours, createRequire(ours.resolve("oazapfts"))].map((from) =>
    from.resolve("typescript/package.json"),
  );
  const compilers = manifests.map((manifest) => JSON.parse(readFileSync(manifest, "utf8")));
  assert.deepEqual(
    compilers.map(({ version }) => version.split(".")[0]),
    ["7", "5"],
  );
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
  for (const [at, manifest] of manifests.entries())
    for (const resolution of [
      ["--module", "nodenext"],
      ["--module", "esnext", "--moduleResolution", "bundler"],
    ]) {
      const tsc = join(manifest, "..", compilers[at].bin.tsc);
      node(tsc, ...options, "--lib", "es2022,dom,dom.iterable", ...resolution, "program.ts");
    }
});

test("in a browser on another origin public reads, terms, evidence and webhooks work", async () => {
  const agent = await verifiedAgent();
  await ensureBrowser(() => undefined);
  const site = await listen(
    createServer((request, response) => {
      const path = request.url === "/" ? undefined : join(installed, "dist", request.url ?? "");
      response.setHeader("Content-Type", path ? "text/javascript" : "text/html");
      response.end(path ? readFileSync(path) : "<!doctype html><title>Another site</title>");
    }),
  );
  const executablePath = systemBrowser();
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(site);
    const script = `(async () => {
      const { Guildhall } = await import("/index.js");
      const { verifyEvidence } = await import("/verify/verify.js");
      const guild = new Guildhall({ baseUrl: ${JSON.stringify(served.url)} });
      const { agent } = await guild.agents.show({ public_id: "${agent.publicId}" });
      const posts = [];
      for await (const post of guild.community.feed({ limit: 5 })) posts.push(post);
      const missing = await guild.agents.show({ public_id: "agt_" + "1".repeat(22) }).catch((error) => error);
      const { verdict } = await verifyEvidence("{}");
      const refused = (() => { try { guild.webhooks.verify({}, "", "whsec_AAAA"); } catch (error) { return error.name; } })();
      return [agent.public_id, posts.length, missing.code, typeof missing.requestId, verdict, refused, guild.terms.hash({})];
    })()`;
    const hash = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    const expected = [agent.publicId, 0, "not_found", "string", "unreadable", "WebhookVerificationError", hash];
    assert.deepEqual(await page.evaluate(script), expected);
  } finally {
    await browser.close();
  }
});
