import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { openFolder } from "#testing/processes/embedded.ts";
import { buildImages, ROOT, removeContainers } from "./images.ts";

// `npm run drill -- container`: the image of the Dockerfile in containers, without Docker. buildah builds and runs them; PostgreSQL comes
// with the packages, Redis and Caddy from Debian. What serves runs in namespaces of its own (inside.ts): it has no network but its own
// 127.0.0.0/8, changes nothing on this machine, and all of it ends with its first process, however this program ends.

/** The programs, and the Debian packages that have them. */
const PROGRAMS = {
  buildah: "buildah",
  debootstrap: "debootstrap",
  caddy: "caddy",
  "redis-server": "redis-server",
  ip: "iproute2",
  unshare: "util-linux",
  npm: "npm",
};

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Why the drill cannot run here; undefined if it can. */
function obstacle(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "It needs root on Linux, because it makes namespaces and file systems of containers.";
  const missing = Object.entries(PROGRAMS).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]));
  return missing.length > 0 ? `Install what is missing: apt-get install ${missing.join(" ")}` : undefined;
}

const why = obstacle();
if (why) {
  console.error(`Not run. ${why}`);
  process.exit(2);
}

const began = performance.now();
mkdirSync(join(ROOT, ".data/drill"), { recursive: true });
const folder = openFolder();
let inside: ChildProcess | undefined;
let stopped = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    stopped = true;
    inside?.kill("SIGKILL");
  });

try {
  await buildImages();
  if (!stopped) process.exitCode = await runInside();
} catch (error) {
  if (!stopped) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  await removeContainers();
}
const outcome = stopped ? "Stopped" : process.exitCode === 0 ? "Passed" : "Failed";
console.log(`${outcome} after ${Math.round((performance.now() - began) / 1000)} s. Everything is stopped and removed.`);

/** @returns its exit code */
function runInside(): Promise<number> {
  const namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  // It ends when its standard input does, so also when this program is killed.
  const child = spawn("unshare", [...namespaces, process.execPath, join(import.meta.dirname, "inside.ts"), folder], {
    stdio: ["pipe", "inherit", "inherit"],
    detached: true,
  });
  inside = child;
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => done(code ?? 1));
  });
}
