import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { admitLocalDomains, replaceProber } from "#lib/identity/domain/probing.ts";
import { announceService } from "#lib/kernel/env/local-domains.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { startTestService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { callAs, registerAgent } from "#testing/factories.ts";
import { buildSdk } from "#testing/sdk.ts";
import { serveHttp } from "#testing/served.ts";

// "Your own agent on this machine", with the commands as they are printed.

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "guildhall-domain-"));
const stops: (() => void)[] = [];
let service: Awaited<ReturnType<typeof startTestService>>;
let served: Awaited<ReturnType<typeof serveHttp>>;

before(async () => {
  service = await startTestService();
  served = await serveHttp();
  // As server.ts does with the default configuration.
  assert.ok(admitLocalDomains(loadEnv({ DATA_DIR: folder })));
  stops.push(announceService(folder, served.url));
  replaceProber(undefined);
  await buildSdk();
});
after(async () => {
  for (const stop of stops) stop();
  await served.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a line in a shell, in the repository's folder. */
async function shell(line: string, env: Record<string, string> = {}): Promise<string> {
  const all = { ...process.env, DATA_DIR: folder, XDG_CONFIG_HOME: folder, ...env };
  const { stdout } = await promisify(execFile)("sh", ["-c", line], { cwd: ROOT, env: all });
  return stdout;
}

const printed = (text: string, line: RegExp) =>
  text.split("\n").find((each) => line.test(each)) ?? assert.fail(`${line} in ${text}`);

/** Runs a line that serves a domain until the returned function is called. */
async function serve(line: string): Promise<() => void> {
  // npm would not pass on the signal that ends it.
  const command = line.replace("npm run dev-domain --", "exec node examples/dev-domain.ts");
  const env = { ...process.env, DATA_DIR: folder };
  const child = spawn("sh", ["-c", command], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  const stop = () => void child.kill();
  stops.push(stop);
  await new Promise<void>((done, fail) => {
    child.stdout.on("data", (chunk) => String(chunk).includes("until Ctrl-C") && done());
    child.once("exit", () => fail(new Error(`${line} ended`)));
  });
  return stop;
}

test("an agent gets a domain while the service runs, and proves it, by the commands that are printed", async () => {
  const port = await freePort();
  const text = await shell(`npm run -s dev-domain my-agent.test ${port}`);
  assert.match(text, new RegExp(`The service at ${served.url} knows it already`));
  const registered = JSON.parse(await shell(printed(text, /guildhall register /)));
  const { url, token } = registered.verification;
  assert.equal(url, `https://my-agent.test/.well-known/guildhall/${registered.public_id}.txt`);
  await shell(
    printed(text, /^printf /)
      .replace("TOKEN", token)
      .replace("PUBLIC_ID", registered.public_id),
  );
  await serve(printed(text, /--serve$/));
  const verified = JSON.parse(await shell(printed(text, /verify-domain/)));
  assert.equal(verified.verification.status, "verified");
});

test("a check of a local domain says what is wrong on this machine, and as often as it is asked", async () => {
  await configure({ BASE_URL: served.url, RATE_LIMIT_SCALE: "1" });
  const port = await freePort();
  const agent = await registerAgent({ endpoint: "https://later.test/run" });
  const check = () => callAs(agent, "POST", "/api/v1/agents/verify.php");
  const fails = async (reason: string, message: RegExp) => {
    const { error } = await check();
    assert.equal(error?.reason, reason);
    assert.match(error?.message ?? "", message);
    assert.doesNotMatch(error?.message ?? "", /internet|public certificate authority|\b443\b/);
  };
  // Before there is such a domain, the checks count.
  for (let time = 0; time < 10; time += 1) assert.equal((await check()).error?.reason, "dns");
  assert.equal((await check()).status, 429);

  await shell(`node examples/dev-domain.ts later.test ${port}`);
  const listening = new RegExp(
    `^Nothing listens on 127\\.0\\.0\\.1:${port}, .* run npm run dev-domain -- later\\.test ${port} --serve\\.$`,
  );
  for (let time = 0; time < 12; time += 1) await fails("unreachable", listening);

  const others = join(folder, "dev-domains/my-agent.test/certificates/my-agent.test");
  const other = createHttpsServer({ cert: readFileSync(`${others}.pem`), key: readFileSync(`${others}.key`) });
  await new Promise<void>((done) => other.listen(port, "127.0.0.1", done));
  await fails("tls", /the certificate of later\.test: use the certificate and key that were made for it\.$/);
  await new Promise((done) => other.close(done));
  const plain = createHttpServer().listen(port, "127.0.0.1");
  await once(plain, "listening");
  await fails("tls", /does not answer over HTTPS with the certificate of later\.test/);
  await new Promise((done) => plain.close(done));

  const stop = await serve(`npm run dev-domain -- later.test ${port} --serve`);
  await fails("status", /status 404/);
  stop();
});

test("the printed commands keep PORT, BASE_URL and DATA_DIR, and say how to start a service if none runs", async () => {
  const elsewhere = join(folder, "elsewhere");
  const text = await shell("node examples/dev-domain.ts my-agent.test 9643", { PORT: "4000", DATA_DIR: elsewhere });
  assert.equal(printed(text, /npm start$/), `PORT=4000 DATA_DIR=${elsewhere} npm start`);
  assert.match(printed(text, /register /), /^GUILDHALL_BASE_URL=http:\/\/localhost:4000 npx /);
  assert.match(printed(text, /--serve$/), new RegExp(`^DATA_DIR=${elsewhere} npm run `));
});

test("a domain that is made again keeps its certificate, and a wrong name or port is refused", async () => {
  const devDomain = (args: string) => shell(`node examples/dev-domain.ts ${args}`);
  const file = join(folder, "dev-domains/gamma.test/certificates/gamma.test.pem");
  await devDomain("gamma.test 9001");
  const first = readFileSync(file, "utf8");
  await devDomain("gamma.test 9002");
  assert.equal(readFileSync(file, "utf8"), first);
  for (const [args, message] of [
    ["Alpha.test 9001", /NAME must be/],
    ["../x 9001", /NAME must be/],
    ["localhost 9001", /NAME must be/],
    ["alpha.test 9001", /alpha\.test belongs to npm run demo/],
    ["gamma.test 80", /PORT must be/],
  ] as const)
    await assert.rejects(devDomain(args), message);
});
