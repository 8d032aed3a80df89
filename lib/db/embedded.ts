import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type FileLock, tryLock, withFileLock } from "#lib/kernel/files/file-lock.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { oneAtATime } from "#lib/kernel/one-at-a-time.ts";
import { diskFull, initialise } from "./embedded/initialise.ts";
import { lost, readPasswords, readUrl, roleUrl, writeUrl } from "./embedded/passwords.ts";
import { choosePlace, type Place } from "./embedded/place.ts";
import { isRunning, readPostmaster, servesCluster } from "./embedded/postmaster.ts";
import { ensureRoles } from "./embedded/roles.ts";
import { clearStalePidFile, killServer, PortTaken, probeServer, startServer, stopServer } from "./embedded/server.ts";

type EmbeddedOptions = {
  /** Folder that holds, or will hold, the database. */
  dir: string;
  log?: (line: string) => void;
  /** PostgreSQL settings in addition to the usual ones, or instead of them; they count for the process that starts the server. */
  settings?: Record<string, string>;
  /** Where root puts what the user who runs PostgreSQL could not reach in `dir`. */
  systemDir?: string;
};

export type Embedded = {
  /** For the service: its role reads and writes rows, but cannot change tables or triggers. */
  url: string;
  /** For migrations: its role owns the database and everything in it. */
  ownerUrl: string;
  /** For tests and benchmarks, which create and drop databases. */
  superuserUrl(): string;
  /** Leaves; the last of all processes to leave stops the server. */
  close(): Promise<void>;
  /** Starts the server again, on the same port, if it has died. Cheap while it runs: call it often. */
  ensureRunning(): Promise<void>;
  started: "initialised" | "started" | "attached";
};

/**
 * A PostgreSQL server of our own, from npm packages, on a random port of 127.0.0.1. Every process that opens the same
 * folder uses the same server: the first starts it, the last to leave stops it. The server outlives a process that is
 * killed, and the next one to come takes it over.
 * @throws Error whose message says what is wrong and how to fix it: rights, a full disk, a missing package
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dir = resolve(options.dir);
  const { log = () => undefined, settings = {} } = options;
  try {
    const place = choosePlace(dir, log, options.systemDir);
    const opened = await inTurn(place, log, async () => {
      const up = await bringUp(place, settings, log, { alone: isUnused(place) });
      return { ...up, seat: takeSeat(place) };
    });
    return handle(place, settings, log, opened);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw diskFull(dir);
    throw error;
  }
}

type Opened = Up & { seat: FileLock };

function handle(place: Place, settings: Record<string, string>, log: (line: string) => void, opened: Opened): Embedded {
  const { url, ownerUrl, started, seat } = opened;
  let isLeaving = false;
  let closing: Promise<void> | undefined;
  const ensureRunning = oneAtATime(async () => {
    if (isLeaving || isRunning(place.cluster)) return;
    await inTurn(place, log, async () => {
      if (isLeaving) return;
      const { started } = await bringUp(place, settings, log, { alone: false });
      if (started !== "attached") log("The database had ended, and has been started again");
    });
  });
  async function leave(): Promise<void> {
    isLeaving = true;
    await ensureRunning().catch(() => undefined);
    await inTurn(place, log, async () => {
      seat.release();
      if (isUnused(place)) await stopServer(place);
    });
  }
  return {
    url,
    ownerUrl,
    superuserUrl() {
      const passwords = readPasswords(place);
      if (!passwords) throw lost(place, place.passwordsFile);
      return roleUrl("superuser", passwords.superuser, Number(new URL(url).port), "postgres");
    },
    started,
    ensureRunning,
    close() {
      closing ??= leave();
      return closing;
    },
  };
}

function inTurn<T>(place: Place, log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  return withFileLock(place.turnLock, work, {
    onWait: () => log("Waiting for another process that starts or stops the database"),
    timeoutSeconds: 600,
  });
}

function takeSeat(place: Place): FileLock {
  const seat = tryLock(place.usersLock, "shared");
  if (!seat) throw new Error(`${place.usersLock} is locked by something that is not this service.`);
  return seat;
}

/** Call it under the turn lock, so that no process joins or leaves meanwhile. */
function isUnused(place: Place): boolean {
  const all = tryLock(place.usersLock, "exclusive");
  all?.release();
  return all !== undefined;
}

type Up = { url: string; ownerUrl: string; started: Embedded["started"] };

/** Makes sure that the cluster exists, its server answers, and its roles and database exist, whatever state they were in. */
async function bringUp(
  place: Place,
  settings: Record<string, string>,
  log: (line: string) => void,
  { alone }: { alone: boolean },
): Promise<Up> {
  let started: Up["started"] = "started";
  if (!existsSync(place.cluster)) {
    await initialise(place, await freePort());
    started = "initialised";
  }
  const running = await attach(place, log);
  // Processes that use the server know only the old port.
  const port = running ?? (await start(place, settings, alone));
  const begun = running === undefined;
  const { service, owner } = await ensureRoles(place, port, { alone, begun }).catch(async (error: unknown) => {
    if (begun) await stopServer(place);
    throw error;
  });
  return {
    url: roleUrl("service", service, port),
    ownerUrl: roleUrl("owner", owner, port),
    started: begun ? started : "attached",
  };
}

const SILENCE_SECONDS = 20;
const RECOVERY_SECONDS = 600;

/** The running server's port; undefined if none runs. */
async function attach(place: Place, log: (line: string) => void): Promise<number | undefined> {
  const begun = performance.now();
  const password = readPasswords(place)?.superuser ?? readUrl(place).password;
  for (;;) {
    const postmaster = readPostmaster(place.cluster);
    if (!postmaster || !servesCluster(postmaster.pid, place.cluster)) return undefined;
    const answer = await probeServer(password, postmaster.port);
    if (answer === "ready") return postmaster.port;
    const seconds = (performance.now() - begun) / 1000;
    if (seconds > (answer === "starting" ? RECOVERY_SECONDS : SILENCE_SECONDS)) {
      log("The database does not answer and is being restarted");
      await killServer(place);
      return undefined;
    }
    await delay(200);
  }
}

/** @returns the port: the last one used, unless that is taken and the server `mayMove` */
async function start(place: Place, settings: Record<string, string>, mayMove: boolean): Promise<number> {
  const known = readUrl(place);
  clearStalePidFile(place);
  for (let attempt = 1; ; attempt++) {
    const port = mayMove ? await freePort(attempt === 1 ? Number(known.port) : undefined) : Number(known.port);
    known.port = String(port);
    writeUrl(place, known.href);
    try {
      await startServer(place, port, settings);
      return port;
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
      if (!mayMove || attempt === 5) {
        throw new Error(`The database's port ${port} has been taken by another program: end that program.`);
      }
    }
  }
}
