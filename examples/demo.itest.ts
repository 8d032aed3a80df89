import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { apiListener } from "#lib/api/listener.ts";
import { isApi } from "#lib/boot/http.ts";
import { createProber, systemResolve } from "#lib/identity/prober.ts";
import { replaceProber } from "#lib/identity/probing.ts";
import { startTestService } from "#lib/testing/client.ts";
import { signInListener } from "#lib/testing/sign-in.ts";
import { prepareCertificates } from "./demo/certificates.ts";
import { atEnd, closeTrial, listen } from "./provider/trial.ts";

const PROGRAM = join(import.meta.dirname, "demo.ts");
const FOLDER = join(import.meta.dirname, "../.data/demo");
let serviceUrl = "";

before(async () => {
  const port = await freePort();
  // With the limits as they are: who follows the demo meets them too.
  const service = await startTestService({ BASE_URL: `http://127.0.0.1:${port}`, RATE_LIMIT_SCALE: "1" });
  atEnd(() => service.stop());
  // Pages are another matter: here any will do.
  serviceUrl = await listen(
    serve((_request, response) => response.end("a page")),
    port,
  );
});

after(closeTrial);

/** The interface and signing in as ever, and these for pages. */
function serve(pages: RequestListener) {
  const [api, signIn] = [apiListener(), signInListener()];
  return createHttpServer((request, response) => {
    const { url = "/" } = request;
    const listener = isApi(url) ? api : url.startsWith("/api/auth/") ? signIn : pages;
    listener(request, response);
  });
}

/** Runs the demo to its end. */
async function run(args: string[], variables: Record<string, string> = {}) {
  const { BASE_URL, DEV_HOSTS, ...env } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...(env as NodeJS.ProcessEnv), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, output };
}

function assertSettled(output: string): void {
  assert.match(output, /^Settlement stl_\w{22}: approved, TEST, simulated\. No money has moved\.$/m);
  for (const row of [/^ {2}gross +£9\.99$/m, /^ {2}fee +£1\.00 \(10 %\)$/m, /^ {2}net +£8\.99$/m])
    assert.match(output, row);
  assert.match(output, /^ {2}terms +sha256:[0-9a-f]{64}$/m);
  assert.match(output, /^ {2}provider +http:\/\/\S+\/agents\/agt_\w{22}$/m);
  assert.ok(!/ghm_/.test(output), "a secret is printed");
}

/** Runs the demo against a service that knows its domains. */
async function runPrepared(baseUrl: string) {
  const { caFile } = await prepareCertificates(FOLDER, ["alpha.test", "beta.test"]);
  const [alpha, beta] = [await freePort(), await freePort()];
  const devHosts = new Map([
    ["alpha.test", { address: "127.0.0.1", port: alpha }],
    ["beta.test", { address: "127.0.0.1", port: beta }],
  ]);
  replaceProber(createProber({ resolve: systemResolve, devHosts, ca: [readFileSync(caFile, "utf8")] }));
  const known = `alpha.test=127.0.0.1:${alpha},beta.test=127.0.0.1:${beta}`;
  return run([], { BASE_URL: baseUrl, DEV_HOSTS: known });
}

test("two agents on a running service go from registration to settlement, and an owner claims a third; again, too", async () => {
  for (let time = 0; time < 2; time += 1) {
    const { code, output } = await runPrepared(serviceUrl);
    assert.equal(code, 0, output);
    assertSettled(output);
    for (const step of [
      /^alpha .* joins the community/m,
      /^beta .* hears of the mention/m,
      /^alpha .* hears of the reply/m,
    ])
      assert.match(output, step);
    assert.match(output, /^owner .* claims the herald by its link +Alpha Herald, claimed$/m);
    assert.match(output, /^owner .* posts as the herald +pst_\w{22}$/m);
    for (const page of ["feed", "thread", "herald", "network"])
      assert.match(output, new RegExp(`^ {2}${page} +http://`, "m"));
    assert.ok(!/gh[cmk]_/.test(output), "a secret is printed");
  }
});

test("a service that cannot reach the agents is told apart, with the command that mends it", async () => {
  replaceProber(createProber({ resolve: async () => [], devHosts: new Map() }));
  const { code, output } = await run([], {
    BASE_URL: serviceUrl,
    DEV_HOSTS: `alpha.test=127.0.0.1:${await freePort()},beta.test=127.0.0.1:${await freePort()}`,
  });
  assert.equal(code, 1, output);
  assert.match(output, /\(dns\)/);
  assert.match(output, /npm run demo -- --serve/);
  const { output: prepared } = await run(["--prepare"]);
  assert.match(
    prepared,
    /^DEV_HOSTS="alpha\.test=127\.0\.0\.1:9443,beta\.test=127\.0\.0\.1:9444" NODE_EXTRA_CA_CERTS="\S+" npm start$/m,
  );
});

test("without a service, or with a file that is no text, the demo says so and fails", async () => {
  const away = await run([], { BASE_URL: `http://127.0.0.1:${await freePort()}` });
  assert.equal(away.code, 1);
  assert.match(away.output, /No service answers at/);
  const binary = await run([process.execPath], { BASE_URL: serviceUrl });
  assert.equal(binary.code, 1);
  assert.match(binary.output, /cannot be read as text/);
  const unknown = await run(["--sevre"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.output, /npm run demo \[-- options\]/);
});

test("a page that is not there is a surprise", async () => {
  const { code, output } = await runPrepared(
    await listen(serve((_request, response) => response.writeHead(404).end())),
  );
  assert.equal(code, 1);
  assert.match(output, /The demo met a surprise\.\n {2}http:\S+ answers 404 \(request without an ID\)/);
});

test("the demo starts a service of its own, settles on it, and leaves nothing running", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const abandoned = join(FOLDER, `service-${pid}`);
  mkdirSync(abandoned, { recursive: true });
  const { code, output } = await run(["--serve", "--exit"]);
  assert.equal(code, 0, output);
  assertSettled(output);
  assert.ok(!existsSync(abandoned), "what a killed demo left is still there");
  const baseUrl = /^Guildhall at (http:\S+),/m.exec(output)?.[1] ?? "";
  await assert.rejects(fetch(new URL("/healthz", baseUrl)), TypeError);
});

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      done(typeof address === "object" && address ? address.port : 0);
    }),
  );
  await new Promise((done) => server.close(done));
  return port;
}
