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
import { prepareCertificates } from "./demo/certificates.ts";
import { atEnd, closeTrial, listen } from "./provider/trial.ts";

const PROGRAM = join(import.meta.dirname, "demo.ts");
const FOLDER = join(import.meta.dirname, "../.data/demo");
let serviceUrl = "";

before(async () => {
  const service = await startTestService();
  atEnd(() => service.stop());
  const api = apiListener();
  // Pages are another matter: here any will do.
  const listener: RequestListener = (request, response) =>
    isApi(request.url ?? "/") ? api(request, response) : response.end("a page");
  serviceUrl = await listen(createHttpServer(listener));
});

after(closeTrial);

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

test("two agents on a running service go from registration to settlement", async () => {
  const { code, output } = await runPrepared(serviceUrl);
  assert.equal(code, 0, output);
  assertSettled(output);
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
  // Whoever serves the interface alone has none.
  const { code, output } = await runPrepared(await listen(createHttpServer(apiListener())));
  assert.equal(code, 1);
  assert.match(output, /The demo met a surprise\.\n {2}http:\S+ answers 404 \(request req_\w{22}\)/);
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
