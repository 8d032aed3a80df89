import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "../..");
const START_SECONDS = 900;

export type OwnService = {
  baseUrl: string;
  /** Rejected if the service ends by itself. */
  failed: Promise<never>;
  /** Starts it anew on the same data and port, with other variables. */
  restart(variables: Record<string, string>): Promise<OwnService>;
  close(): Promise<void>;
};

type Place = { dataDir: string; port: number };

/**
 * Starts a service of the demo's own, as `npm start` would, on a free port and with a database of its own in `folder`, both
 * gone when it is closed.
 * @throws Error when it cannot start, or `interrupted` settles first
 */
export async function startService(
  folder: string,
  variables: Record<string, string>,
  interrupted: Promise<unknown>,
  say: (line: string) => void,
): Promise<OwnService> {
  removeAbandoned(folder);
  const dataDir = join(folder, `service-${process.pid}`);
  mkdirSync(dataDir, { recursive: true });
  return startAt({ dataDir, port: await freePort() }, variables, interrupted, say);
}

async function startAt(
  place: Place,
  variables: Record<string, string>,
  interrupted: Promise<unknown>,
  say: (line: string) => void,
): Promise<OwnService> {
  const { dataDir, port } = place;
  const baseUrl = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["server.ts"], {
    cwd: ROOT,
    env: { ...process.env, ...BLANK, ...variables, PORT: String(port), BASE_URL: baseUrl, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let isReady = false;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (text) => {
      // Once it runs, only what goes wrong is of interest here.
      if (!isReady || /"level":[56]0/.test(text)) say(`          ${text}`);
    });
  }
  let isWanted = true;
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const failed = new Promise<never>((_, fail) => {
    void ended.then(() => {
      if (isWanted) fail(new Error(`The service ended by itself${isReady ? "" : ", as told above"}.`));
    });
  });
  failed.catch(() => undefined);
  const stop = async () => {
    isWanted = false;
    await end(child, ended);
  };
  const close = async () => {
    await stop();
    removeData(dataDir);
  };
  try {
    const given = interrupted.then(() => {
      throw new Error("Interrupted while the service was starting.");
    });
    await Promise.race([failed, given, readiness(baseUrl)]);
  } catch (error) {
    await close();
    throw error;
  }
  isReady = true;
  return {
    baseUrl,
    failed,
    async restart(others) {
      await stop();
      return startAt(place, others, interrupted, say);
    },
    close,
  };
}

/** A service's configuration, blank: the demo's own takes nothing over from another. */
const BLANK = Object.fromEntries(
  [
    ...["HOST", "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "PAYMENT_MODE", "RATE_LIMIT_SCALE"],
    ...["AUTH_SECRET", "AUTH_SECRET_PREVIOUS", "TRUSTED_PROXIES", "ADMIN_SECOND_FACTOR", "SECURITY_CONTACT"],
    ...["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_CONNECT_WEBHOOK_SECRET", "STRIPE_REHEARSAL"],
    ...["STRIPE_API_BASE", "DEV_HOSTS", "LIVE_MIN_PENCE"],
    ...["CLAIM_TTL_SECONDS", "SESSION_TTL_SECONDS", "TASK_TTL_SECONDS", "DOMAIN_RECHECK_SECONDS"],
  ].map((name) => [name, ""]),
);

async function readiness(baseUrl: string): Promise<void> {
  const deadline = performance.now() + START_SECONDS * 1000;
  while (!(await isReady(baseUrl))) {
    if (performance.now() > deadline) throw new Error(`The service was not ready within ${START_SECONDS} seconds.`);
    await delay(200);
  }
}

/** Whether a service answers here. */
export async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(new URL("/readyz", baseUrl), { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  await ended;
  clearTimeout(timer);
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

const SYSTEM_DIR = "/var/lib/guildhall/";

/** For root the database may lie outside the folder, where a note says. */
function removeData(dataDir: string): void {
  const note = join(dataDir, "postgres/cluster-is-elsewhere.txt");
  const elsewhere = existsSync(note) ? readFileSync(note, "utf8").split("\n", 1)[0] : undefined;
  if (elsewhere?.startsWith(SYSTEM_DIR) && !elsewhere.includes(".."))
    rmSync(elsewhere, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** What demos that were killed left behind. */
function removeAbandoned(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number(/^service-(\d+)$/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) removeData(join(folder, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
