import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openFolder, removeFolder } from "#testing/processes/embedded.ts";

const ROOT = resolve(import.meta.dirname, "../..");
// The first start after a change builds the pages.
const PATIENCE_MS = 600_000;

/** For fixtures that start a service once for each worker. */
export const ONCE = { scope: "worker", timeout: PATIENCE_MS } as const;

export type Service = {
  baseUrl: string;
  dataDir: string;
  /** All its output so far, over all its starts. */
  said(): string;
  /** Ends the process and keeps its data, for `start`. */
  end(): Promise<void>;
  /** Starts it again. These variables override those of the first start; undefined unsets one. */
  start(others?: Record<string, string | undefined>): Promise<void>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
};

/** Starts the real service with its own process, data folder and port, and waits until it is ready. */
export async function runService(variables: Record<string, string>, args: string[] = []): Promise<Service> {
  const dataDir = openFolder();
  const port = await freePort();
  const written: string[] = [];
  const said = () => written.join("");
  let child: ChildProcess | undefined;

  async function start(others: Record<string, string | undefined> = {}): Promise<void> {
    const started = spawn(process.execPath, ["server.ts", ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...environment(),
        ...{ PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_SCALE: "0", NEW_VOICE_HOURS: "0", COPY_HOURS: "0" },
        ...variables,
        ...others,
      },
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => written.push(String(chunk)));
    started.once("exit", (code, signal) => {
      if (child === started)
        console.error(`The service ended unexpectedly (${signal ?? code}).\n${said().slice(-20_000)}`);
    });
    await ready(started, `http://127.0.0.1:${port}/readyz`);
  }

  async function end(): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill("SIGTERM");
    await once(ending, "exit");
  }

  const stop = async () => {
    await end();
    removeFolder(dataDir);
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw new Error(`${error instanceof Error ? error.message : error}\n${said().slice(-20_000)}`);
  }
  return { baseUrl: `http://localhost:${port}`, dataDir, said, end, start, stop };
}

/** Without the variables that would point the service at an existing database or installation. */
function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL, DATABASE_OWNER_URL, REDIS_URL, BASE_URL, HOST, PAYMENT_MODE, NODE_OPTIONS, ...rest } =
    process.env;
  return rest;
}

/** Below the range for outgoing connections, so that none of them takes the port before the service does, or between two starts. */
async function freePort(): Promise<number> {
  // Processes that start together begin at different ports.
  for (let at = process.pid * 17; ; at += 1) {
    const port = 10_000 + (at % 22_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once("error", () => done(false)).listen(port, "127.0.0.1", () => done(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const ended = child.signalCode ?? child.exitCode;
    if (ended !== null) throw new Error(`The service ended (${ended}).`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await delay(200);
  }
  throw new Error("The service did not become ready.");
}
