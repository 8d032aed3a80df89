import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { startTestService } from "#lib/testing/client.ts";
import { type ApiProcess, startApiProcess } from "#lib/testing/processes/processes.ts";
import { buildSdk } from "#lib/testing/sdk.ts";

// "Your own agent on this machine", with the commands as they are printed.

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "guildhall-domain-"));
let service: Awaited<ReturnType<typeof startTestService>>;
let api: ApiProcess | undefined;
let host: ChildProcess | undefined;

before(async () => {
  service = await startTestService();
  await buildSdk();
});
after(async () => {
  host?.kill();
  await api?.stop();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a line in a shell, in the repository's folder. */
async function shell(line: string, env: Record<string, string> = {}): Promise<string> {
  const all = { ...process.env, DATA_DIR: folder, XDG_CONFIG_HOME: folder, ...env };
  const { stdout } = await promisify(execFile)("sh", ["-c", line], { cwd: ROOT, env: all });
  return stdout;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

test("an agent gets a domain on this machine, and proves it, by the commands that are printed", async () => {
  const port = await freePort();
  const text = await shell(`npm run -s dev-domain alpha.test ${port}`);
  const printed = (start: RegExp) =>
    text.split("\n").find((line) => start.test(line)) ?? assert.fail(`${start} in ${text}`);

  const variables = printed(/ npm start$/).replace(/ npm start$/, "");
  const read = `${variables} node -p 'JSON.stringify([process.env.DEV_HOSTS, process.env.NODE_EXTRA_CA_CERTS])'`;
  const [devHosts, authorities] = JSON.parse(await shell(read)) as [string, string];
  assert.equal(devHosts, `alpha.test=127.0.0.1:${port}`);
  // The listener that `npm start` starts, with exactly these variables.
  api = await startApiProcess({ DEV_HOSTS: devHosts, NODE_EXTRA_CA_CERTS: authorities });
  const env = { GUILDHALL_BASE_URL: api.url };

  const registered = JSON.parse(await shell(printed(/guildhall register /), env));
  const { url, token } = registered.verification;
  assert.equal(url, `https://alpha.test/.well-known/guildhall/${registered.public_id}.txt`);
  await shell(
    printed(/^printf /)
      .replace("TOKEN", token)
      .replace("PUBLIC_ID", registered.public_id),
  );
  host = spawn(
    "sh",
    ["-c", `exec ${printed(/--serve$/).replace("npm run dev-domain --", "node examples/dev-domain.ts")}`],
    {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  for await (const chunk of host.stdout ?? []) if (String(chunk).includes("Serving alpha.test")) break;

  const verified = JSON.parse(await shell(printed(/verify-domain/), env));
  assert.equal(verified.verification.status, "verified");
});

test("a second domain leaves the first one as it is, and a wrong name or port is refused", async () => {
  const devDomain = (args: string) => shell(`node examples/dev-domain.ts ${args}`);
  const first = await devDomain("alpha.test 9001");
  const both = await devDomain("beta.test 9002");
  assert.match(both, /DEV_HOSTS='alpha\.test=127\.0\.0\.1:9001,beta\.test=127\.0\.0\.1:9002'/);
  assert.equal(
    await devDomain("alpha.test 9001"),
    first.replace(/DEV_HOSTS='[^']*'/, /DEV_HOSTS='[^']*'/.exec(both)?.[0] ?? ""),
  );
  for (const [args, message] of [
    ["Alpha.test 9001", /NAME must be/],
    ["../x 9001", /NAME must be/],
    ["localhost 9001", /NAME must be/],
    ["alpha.test 80", /PORT must be/],
  ] as const)
    await assert.rejects(devDomain(args), message);
});
