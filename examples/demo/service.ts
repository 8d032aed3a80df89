import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { announcedServices, DEMO_DOMAINS } from "#lib/kernel/env/local-domains.ts";
import { VARIABLE_NAMES } from "#lib/kernel/env/variables.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { devHosts, type Host, type Ports } from "./hosts.ts";

const ROOT = join(import.meta.dirname, "../..");
const START_SECONDS = 900;

/** A service that is already running; `ports` are those at which it looks for the demo's domains. */
type FoundService = { baseUrl: string; knowsLocalDomains: boolean; ports: Ports };

const DEFAULT_URL = "http://localhost:3000";

/**
 * The running service to use: the one at `baseUrl` if given, else one that knows the demo's domains, else any at the default address.
 * @throws Error if `baseUrl` is given and nothing answers there
 */
export async function findService(dataDir: string, baseUrl: string | undefined): Promise<FoundService | undefined> {
  const known = announcedServices(dataDir);
  const candidates = baseUrl ? [new URL(baseUrl).origin] : [...known.sort(), DEFAULT_URL];
  const ports = new Map([...DEMO_DOMAINS].map(([name, { port }]) => [name, port]));
  for (const candidate of candidates)
    if (await isReady(candidate)) return { baseUrl: candidate, knowsLocalDomains: known.includes(candidate), ports };
  if (baseUrl) throw new Error(`No service answers at ${baseUrl} (BASE_URL).`);
  return undefined;
}

export type OwnService = {
  baseUrl: string;
  /** Rejected if the service ends unexpectedly. */
  failed: Promise<never>;
  /** Starts it again on the same data and port, with other variables. */
  restart(variables: Record<string, string>): Promise<OwnService>;
  close(): Promise<void>;
};

type Installation = { dataDir: string; port: number };

/**
 * Starts the demo's own service, as `npm start` would, on a free port and with a new database in `folder`. Closing it deletes that
 * data. It learns the demo's domains from variables, so that several demos can run at the same time.
 * @throws Error if it cannot start, or `interrupted` settles first
 */
export async function startOwnService(
  folder: string,
  { hosts, caFile }: { hosts: Host[]; caFile: string },
  interrupted: Promise<unknown>,
  say: (line: string) => void,
): Promise<OwnService> {
  removeAbandoned(folder);
  const dataDir = join(folder, `service-${process.pid}`);
  mkdirSync(dataDir, { recursive: true });
  const variables = { DEV_HOSTS: devHosts(hosts), NODE_EXTRA_CA_CERTS: caFile };
  return startAt({ dataDir, port: await freePort() }, variables, interrupted, say);
}

async function startAt(
  place: Installation,
  variables: Record<string, string>,
  interrupted: Promise<unknown>,
  say: (line: string) => void,
): Promise<OwnService> {
  const { dataDir, port } = place;
  const baseUrl = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["server.ts"], {
    cwd: ROOT,
    env: { ...process.env, ...BLANK, ...variables, PORT: String(port), BASE_URL: baseUrl, DATA_DIR: dataDir },
    // The channel tells the service when the demo has ended, however it did.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let isReady = false;
  for (const stream of [child.stdout, child.stderr]) {
    if (stream)
      createInterface({ input: stream }).on("line", (text) => {
        // Once it is running, only errors matter here.
        if (!isReady || /"level":[56]0/.test(text)) say(`          ${text}`);
      });
  }
  let isWanted = true;
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const failed = new Promise<never>((_, fail) => {
    void ended.then(() => {
      if (isWanted) fail(new Error(`The service ended unexpectedly${isReady ? "" : " (see above)"}.`));
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

/** Kept from the environment of the demo. */
const KEPT = ["NODE_ENV", "LOG_LEVEL"];

/** Empties the variables of a service, so that the demo's own one takes over no configuration. */
const BLANK = Object.fromEntries(
  [...VARIABLE_NAMES.filter((name) => !KEPT.includes(name)), "NODE_EXTRA_CA_CERTS"].map((name) => [name, ""]),
);

async function readiness(baseUrl: string): Promise<void> {
  const deadline = performance.now() + START_SECONDS * 1000;
  while (!(await isReady(baseUrl))) {
    if (performance.now() > deadline) throw new Error(`The service was not ready within ${START_SECONDS} seconds.`);
    await delay(200);
  }
}

/** Whether a service answers at this URL. */
async function isReady(baseUrl: string): Promise<boolean> {
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

const SYSTEM_DIR = "/var/lib/guildhall/";

/** If the demo runs as root, the database may be outside the folder; a note in the folder says where. */
function removeData(dataDir: string): void {
  const note = join(dataDir, "postgres/cluster-is-elsewhere.txt");
  const elsewhere = existsSync(note) ? readFileSync(note, "utf8").split("\n", 1)[0] : undefined;
  if (elsewhere?.startsWith(SYSTEM_DIR) && !elsewhere.includes(".."))
    rmSync(elsewhere, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** Deletes what demos that were killed have left. */
function removeAbandoned(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number(/^(?:service-(?=\d+$)|run-)(\d+)/.exec(name)?.[1]);
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
