import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withClient } from "#lib/db/with-client.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { BENCH_SECRET, type DataSet } from "./data.ts";

const ROOT = resolve(import.meta.dirname, "..");
const READY_SECONDS = 900;

export type Running = {
  url: string;
  pid: number;
  /** From the start of the process to its first answer. */
  startSeconds: number;
  stop(): Promise<void>;
};

/** The service as it runs in production, with its rate limits and the rules for posts off. */
export function startService(data: DataSet): Promise<Running> {
  // A load repeats one text, and its authors are new.
  const rules = { COPY_HOURS: "0", NEW_VOICE_HOURS: "0" };
  return start(["server.ts"], "/readyz", { DATA_DIR: data.dataDir, RATE_LIMIT_SCALE: "0", ...rules });
}

/** The same with rate limits and a small heap. */
export function startSmallService(data: DataSet): Promise<Running> {
  const variables = { DATA_DIR: data.dataDir, RATE_LIMIT_SCALE: "1", LOG_LEVEL: "error" };
  return start(["--max-old-space-size=768", "server.ts"], "/readyz", variables);
}

/** The API without pages, with as much of the record's background work as `work` says; see record-service.ts. */
export function startRecordService(data: DataSet, work: string): Promise<Running> {
  const database = { DATABASE_URL: data.url, DATA_DIR: data.dataDir, OWN_DATABASE: "1" };
  return start(["bench/record-service.ts"], "/readyz", { ...database, RATE_LIMIT_SCALE: "0", RECORD_WORK: work });
}

export function startBareServer(data: DataSet): Promise<Running> {
  return start(["bench/bare-server.ts"], "/list", { DATABASE_URL: data.url });
}

async function start(args: string[], probe: string, variables: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = { AUTH_SECRET: BENCH_SECRET, DATABASE_URL: "", DATABASE_OWNER_URL: "", LOG_LEVEL: "warn" };
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...settings,
    NODE_ENV: "production",
    ...variables,
    PORT: String(port),
  };
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const listen = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-10_000);
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  await ready(child, `${url}${probe}`, () => output);
  const startSeconds = (performance.now() - began) / 1000;
  return { url, pid: child.pid ?? 0, startSeconds, stop: () => stop(child) };
}

async function ready(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = performance.now() + READY_SECONDS * 1000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.slice(1).join(" ")} ended:\n${output()}`);
    const isReady = await fetch(url).then(
      async (response) => (await response.arrayBuffer()) && response.ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > deadline) {
      await stop(child);
      throw new Error(`${url} does not answer:\n${output()}`);
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

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kib = existsSync(status)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8"))?.[1]
    : spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return Math.round(Number(kib) / 1024);
}

/** Resident memory of the process that renders pages for this service; 0 where the kernel has no `/proc`. */
export function residentMiBOfPages(service: Running): number {
  const list = `/proc/${service.pid}/task/${service.pid}/children`;
  if (!existsSync(list)) return 0;
  const children = readFileSync(list, "utf8").split(" ").filter(Boolean).map(Number);
  const pages = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("page-program.ts"));
  return pages === undefined ? 0 : residentMiB(pages);
}

/** Microseconds of processor time. */
export type Cpu = { service: number; database: number };

/** Starts counting the processor time of a server and its database. @returns what tells the time since then; NaN without `/proc` */
export async function startCpuMeter(server: Running, { url }: DataSet): Promise<() => Promise<Cpu>> {
  const read = async () => {
    const pids = await withClient(url, async (client) => {
      const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity");
      return rows.map(({ pid }) => pid);
    });
    return { service: cpuOf(server.pid), database: new Map(pids.map((pid) => [pid, cpuOf(pid)])) };
  };
  const before = await read();
  return async () => {
    const after = await read();
    // The time of connections that ended meanwhile is lost.
    const database = [...after.database].map(([pid, used]) => used - (before.database.get(pid) ?? 0));
    return { service: after.service - before.service, database: database.reduce((sum, each) => sum + each, 0) };
  };
}

/** Microseconds that all threads of a process have used; 0 if it has ended. */
function cpuOf(pid: number): number {
  if (!existsSync("/proc/self/schedstat")) return Number.NaN;
  const threads = `/proc/${pid}/task`;
  try {
    const nanoseconds = readdirSync(threads).map((thread) =>
      Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ", 1)[0]),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return 0;
    throw error;
  }
}

/** PostgreSQL counts what a session did only once it has been idle for ten seconds. */
const COUNTED_MS = 12_000;

/** Transactions of the database so far. Nearly all of them are single statements here. */
export async function countTransactions(url: string): Promise<number> {
  await delay(COUNTED_MS);
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0]?.count);
  });
}
