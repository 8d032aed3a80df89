import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { BUILDAH } from "./images.ts";
import { answers, run, until } from "./program.ts";

/** Where containers keep /data, of which all of them have the same, and their logs; and the variables that all of them get. */
export type Setting = { folder: string; variables: Record<string, string> };

export type Container = {
  address: string;
  image: string;
  /** From the call until it could serve. */
  startSeconds: number;
  /** What its processes have in memory, where what several share counts in parts. */
  memoryBytes(): number;
  /** Runs a program in it, to its end. */
  execute(command: string[]): Promise<string>;
  /** `kill -9` of the process that was started. */
  kill(): Promise<void>;
  /** As Docker does: SIGTERM, and patience. @returns the exit code, and the seconds until then */
  stop(): Promise<{ code: number; seconds: number }>;
};

const START_SECONDS = 120;
const STOP_SECONDS = 75;

/** The part of a command that comes before the container's name. */
function runArgs({ folder, variables }: Setting, extra: Record<string, string>): string[] {
  const env = Object.entries({ ...variables, ...extra }).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const volumes = [`${join(folder, "data")}:/data`, `${join(folder, "tmp")}:/tmp`].flatMap((each) => [
    "--volume",
    each,
  ]);
  return [...BUILDAH, "run", "--isolation", "chroot", ...env, ...volumes];
}

/** A container of its own that runs one command. @returns what it printed */
export async function runOnce(
  image: string,
  setting: Setting,
  command: string[],
  variables: Record<string, string> = {},
): Promise<string> {
  const container = await run("buildah", [...BUILDAH, "from", "--pull-never", image]);
  const printed = await run("buildah", [...runArgs(setting, variables), container, "--", ...command], { seconds: 120 });
  await run("buildah", [...BUILDAH, "rm", container]);
  return printed;
}

/** Starts the image's own command in a new container at this address, and waits until it can serve. */
export async function startContainer(image: string, address: string, setting: Setting): Promise<Container> {
  const name = await run("buildah", [...BUILDAH, "from", "--pull-never", image]);
  const { OCIv1, Docker } = JSON.parse(await run("buildah", [...BUILDAH, "inspect", name]));
  const command: string[] = (Docker?.config ?? OCIv1.config).Cmd;
  const before = runArgs(setting, { HOST: address });
  const began = performance.now();
  const child = spawn("buildah", [...before, name, "--", ...command], { stdio: ["ignore", "pipe", "pipe"] });
  const log = createWriteStream(join(setting.folder, `${name}.log`), { flags: "a" });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const ended = new Promise<number>((done) => child.once("exit", (code) => done(code ?? 1)));
  await until(`the container at ${address} can serve`, START_SECONDS, () => {
    if (child.exitCode !== null) throw new Error(`The container ended:\n${readFileSync(log.path, "utf8")}`);
    return answers(`http://${address}:3000/readyz`);
  });
  const end = async (signal: NodeJS.Signals) => {
    const from = performance.now();
    process.kill(nodesOf(child)[0] ?? 0, signal);
    await until(`the container at ${address} has ended`, STOP_SECONDS, () => child.exitCode !== null);
    return { code: await ended, seconds: (performance.now() - from) / 1000 };
  };
  return {
    address,
    image,
    startSeconds: (performance.now() - began) / 1000,
    memoryBytes: () => nodesOf(child).reduce((sum, pid) => sum + proportionalBytes(pid), 0),
    execute: (args) => run("buildah", [...before, name, "--", ...args]),
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  };
}

/** The container's Node processes; the first is the one that was started. */
function nodesOf({ pid: top = 0 }: ChildProcess): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each)))
    try {
      const [, parent = ""] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      parents.set(Number(name), Number(parent));
    } catch {
      // It has ended meanwhile.
    }
  const isBelow = (pid: number): boolean => pid === top || (parents.has(pid) && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter((pid) => isBelow(pid) && isNode(pid)).sort((one, other) => one - other);
}

function isNode(pid: number): boolean {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)) === "node";
  } catch {
    return false;
  }
}

function proportionalBytes(pid: number): number {
  const [, kib = "0"] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return Number(kib) * 1024;
}
