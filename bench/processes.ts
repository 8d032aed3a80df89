import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BENCH_SECRET } from "./credentials.ts";
import type { DataSet } from "./data.ts";

const ROOT = resolve(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(resolve(ROOT, "package.json"), "utf8")) as { scripts: { start: string } };
/** The flags of Node that `npm start` sets. The bare server gets them too. */
const FLAGS = scripts.start.split(" ").filter((word) => word.startsWith("--"));
const READY_SECONDS = 900;

export type Running = {
  url: string;
  pid: number;
  /** From the start of the process to its first answer. */
  startSeconds: number;
  stop(): Promise<void>;
};

/** The service as it is run in production, on this data set, with its limits off. */
export function startService(data: DataSet, more: Record<string, string> = {}): Promise<Running> {
  return start(["server.ts"], "/readyz", { DATA_DIR: data.dataDir, RATE_LIMIT_SCALE: "0", LOG_LEVEL: "warn", ...more });
}

/** The same with limits on and a small heap, for hostile loads. */
export function startSmall(data: DataSet): Promise<Running> {
  const variables = { DATA_DIR: data.dataDir, RATE_LIMIT_SCALE: "1", LOG_LEVEL: "error" };
  return start(["--max-old-space-size=768", "server.ts"], "/readyz", variables);
}

/** The API's listener alone, without pages and worker. */
export function startListener(data: DataSet, more: Record<string, string> = {}): Promise<Running> {
  const variables = { DATABASE_URL: data.url, RATE_LIMIT_SCALE: "0", LOG_LEVEL: "warn", ...more };
  return start(["bench/listener.ts"], "/readyz", variables);
}

/** The listener with the whole record, or with a part of it taken out. */
export function startRecorded(data: DataSet, without: "log" | "feed" | ""): Promise<Running> {
  return start(["--import", "./bench/without-record.ts", "bench/record-listener.ts"], "/readyz", {
    ...{ DATABASE_URL: data.url, DATA_DIR: data.dataDir, OWN_DATABASE: "1", RATE_LIMIT_SCALE: "0", LOG_LEVEL: "warn" },
    BENCH_WITHOUT: without,
  });
}

export function startBare(data: DataSet): Promise<Running> {
  return start(["bench/bare-server.ts"], "/list", { DATABASE_URL: data.url });
}

async function start(args: string[], probe: string, variables: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...{
      AUTH_SECRET: BENCH_SECRET,
      NODE_ENV: "production",
      DATABASE_URL: "",
      DATABASE_OWNER_URL: "",
      ...variables,
      PORT: String(port),
    },
  };
  const began = performance.now();
  const child = spawn(process.execPath, [...FLAGS, ...args], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const listen = (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-10_000);
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  await ready(child, `${url}${probe}`, () => said);
  const startSeconds = (performance.now() - began) / 1000;
  return { url, pid: child.pid ?? 0, startSeconds, stop: () => stop(child) };
}

async function ready(child: ChildProcess, url: string, said: () => string): Promise<void> {
  const deadline = performance.now() + READY_SECONDS * 1000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.slice(1).join(" ")} ended:\n${said()}`);
    const answered = await fetch(url).then(
      async (response) => (await response.arrayBuffer()) && response.ok,
      () => false,
    );
    if (answered) return;
    if (performance.now() > deadline) {
      await stop(child);
      throw new Error(`${url} does not answer:\n${said()}`);
    }
    await delay(20);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kib = existsSync(status)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8"))?.[1]
    : spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return Math.round(Number(kib) / 1024);
}

/** Processes that this one started, with this word in their command lines. None where the kernel has no `/proc`. */
export function childrenOf(pid: number, word: string): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [];
  const children = readFileSync(list, "utf8").split(" ").filter(Boolean).map(Number);
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes(word));
}

const TICKS_PER_SECOND = 100;

/** CPU time that processes have used so far, in seconds; undefined where the kernel has no `/proc`. */
export function cpuSeconds(pids: readonly number[]): number | undefined {
  if (!existsSync("/proc/self/stat")) return undefined;
  let ticks = 0;
  for (const pid of pids) {
    const file = `/proc/${pid}/stat`;
    if (!existsSync(file)) continue;
    // The name, in brackets, may contain spaces. After it: state, then user and system time as the 12th and 13th field.
    const fields = readFileSync(file, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}
