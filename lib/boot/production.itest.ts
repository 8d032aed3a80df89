import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { generateClient } from "#lib/db/generate.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { overTcp, type TestDatabase, testDatabase } from "#testing/database.ts";
import { ORDINARY_USER, openFolder, removeFolder } from "#testing/processes/embedded.ts";
import { takeTour } from "#testing/tour.ts";
import { leaveOut, sizeOf } from "../../ops/image/leave-out.ts";
import { buildPages } from "./pages/build.ts";

// What the Dockerfile makes, without Docker: the packages of `npm ci --omit=dev`, the built pages, and nothing that only builds.

const ROOT = resolve(import.meta.dirname, "../..");
const MAX_BYTES = 180e6;
const NOT_IN_IMAGE = /^(?:\.git|\.data|\.next|node_modules|bench|e2e|test-results|playwright-report)$/;

const folder = openFolder();
const tree = join(folder, "app");
const home = join(folder, "home");
// Where the other user can reach it.
const node = join(folder, "node");
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await generateClient();
  await buildPages(ROOT).done;
  for (const name of readdirSync(ROOT).filter((each) => !NOT_IN_IMAGE.test(each)))
    cpSync(join(ROOT, name), join(tree, name), {
      recursive: true,
      filter: (path) => !/\/sdk\/\.build$/.test(path),
    });
  // Packages inside a package are listed themselves.
  for (const path of productionPackages()) linkTree(join(ROOT, path), join(tree, path), "node_modules");
  linkTree(join(ROOT, ".next"), join(tree, ".next"));
  leaveOut(tree);
  cpSync(process.execPath, node);
  mkdirSync(join(home, "tmp"), { recursive: true });
  if (ORDINARY_USER)
    for (const path of [home, join(home, "tmp")]) chownSync(path, ORDINARY_USER.uid, ORDINARY_USER.gid);
  chmodSync(home, 0o700);
});
after(async () => {
  removeFolder(folder);
  await database?.drop();
});

/** The folders that `npm ci --omit=dev` would install here, by the lock file. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
  const wanted = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link,
  );
  return wanted.map(([path]) => path).filter((path) => existsSync(join(ROOT, path)));
}

/** Hard links, because a copy of half a gigabyte takes long; copies where the folder is on another file system, such as in memory. @param leave folders that are left out */
function linkTree(from: string, to: string, leave = ""): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name !== leave) linkTree(source, target, leave);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

test("the production install is small, and serves every part of the service as another user on a read-only tree", {
  timeout: 300_000,
}, async (t) => {
  const bytes = sizeOf(tree);
  t.diagnostic(`${Math.round(bytes / 1e6)} MB`);
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
  const written = newest(tree);
  const port = await freePort();
  const collector = await startCollector();
  t.after(collector.close);
  const url = `http://127.0.0.1:${port}`;
  const env: Record<string, string> = {
    NODE_ENV: "production",
    PATH: dirname(node),
    HOME: home,
    TMPDIR: join(home, "tmp"),
    DATA_DIR: join(home, "data"),
    PORT: String(port),
    LOG_LEVEL: "warn",
    DATABASE_URL: overTcp(database.url),
    DATABASE_OWNER_URL: overTcp(database.ownerUrl),
    BASE_URL: url,
    AUTH_SECRET: "a secret of the production test, long enough",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  const child = spawn(node, ["start.mjs"], {
    cwd: tree,
    stdio: ["ignore", "pipe", "pipe"],
    ...ORDINARY_USER,
    env: env as NodeJS.ProcessEnv,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  try {
    while (
      !(await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      assert.equal(child.exitCode, null, said);
      await delay(200);
    }
    await takeTour(url).catch((error: Error) => assert.fail(`${error.message}\n${said}`));
    const probe = spawn(node, ["ops/image/probe.mjs"], { cwd: tree, env: env as NodeJS.ProcessEnv });
    assert.equal(await new Promise((done) => probe.once("exit", done)), 0);
  } finally {
    child.kill("SIGTERM");
  }
  assert.equal(await ended, 0, said);
  assert.doesNotMatch(said, /EROFS|EACCES|EPERM|Error/);
  assert.deepEqual(newest(tree), written);
  assert.ok(collector.bytes() > 0, "traces are exported");
});

/** Takes traces as an OpenTelemetry collector does. */
async function startCollector() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on("data", (chunk) => {
      bytes += request.url === "/v1/traces" ? chunk.length : 0;
    });
    request.on("end", () => response.end());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes, close };
}

/** The file or folder that was changed last. */
function newest(root: string): { path: string; at: number } {
  let found = { path: basename(root), at: statSync(root).mtimeMs };
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    const next = entry.isDirectory() ? newest(path) : { path, at: statSync(path).mtimeMs };
    if (next.at > found.at) found = next;
  }
  return found;
}
