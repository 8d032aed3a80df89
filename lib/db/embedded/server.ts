import { existsSync, rmSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { diskFull } from "./initialise.ts";
import type { Place } from "./place.ts";
import { readPostmaster, servesCluster } from "./postmaster.ts";
import { lastLines, readLog, runProgram } from "./program.ts";
import { trySuperuser } from "./roles.ts";

/** What the server runs with unless the caller says otherwise. Nothing here trades safety of the data for speed. */
const SETTINGS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "120",
  shared_buffers: `${sharedBuffersMib()}MB`,
  effective_cache_size: "1GB",
  work_mem: "8MB",
  random_page_cost: "1.1",
  max_wal_size: "2GB",
  wal_compression: "on",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // The sender of a statement gets its errors; the log must not repeat the statement, which holds people's data.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

/**
 * A sixteenth of the memory that there is for us, from 128 MiB to 1 GiB. A search for a rare word reads a page of the table for
 * each match; from the operating system's cache that takes several times as long.
 */
function sharedBuffersMib(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(1_024, Math.max(128, bytes / 16 / 2 ** 20)));
}

const START_SECONDS = 300;
const STOP_SECONDS = 60;
const LOG_BYTES = 5_000_000;

export class PortTaken extends Error {}

/**
 * Starts the server on the port and waits until it takes connections.
 * @throws PortTaken; an Error that ends with the last lines of the server's log
 */
export async function startServer(place: Place, port: number, settings: Record<string, string>): Promise<void> {
  const logFile = join(place.cluster, "server.log");
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) rmSync(logFile);
  // Killed with its shared memory in use, a server leaves processes that take a moment to notice.
  for (let attempt = 1; ; attempt++) {
    const before = readLog(logFile).length;
    const { code, output } = await runProgram(place, place.binaries.pgCtl, [
      ...["start", "-D", place.cluster, "-w", "-t", String(START_SECONDS), "-l", logFile],
      ...["-o", serverOptions(port, settings)],
    ]);
    if (code === 0) return;
    const said = readLog(logFile).slice(before);
    if (/Address already in use|could not create any TCP\/IP sockets/.test(said)) throw new PortTaken();
    if (said.includes("No space left on device")) throw diskFull(place.cluster);
    if (!said.includes("pre-existing shared memory block") || attempt === 20) {
      throw new Error(`PostgreSQL did not start on ${place.cluster}. It said:\n${lastLines(said || output)}`);
    }
    await delay(500);
  }
}

// pg_ctl hands these to a shell, hence the narrow choice of characters.
function serverOptions(port: number, settings: Record<string, string>): string {
  const entries = Object.entries({ ...SETTINGS, ...settings, port: String(port) });
  for (const [name, value] of entries) {
    if (!/^[\w.]+$/.test(name) || !/^[\w.,-]*$/.test(value))
      throw new Error(`The setting ${name} cannot be "${value}".`);
  }
  return entries.map(([name, value]) => `-c ${name}=${value}`).join(" ");
}

/** Stops the server: sessions are ended and the data is left clean; one that does not obey is ended hard. */
export async function stopServer(place: Place): Promise<void> {
  const postmaster = readPostmaster(place.cluster);
  if (!postmaster || !servesCluster(postmaster.pid, place.cluster)) return;
  for (const mode of ["fast", "immediate"]) {
    const args = ["stop", "-D", place.cluster, "-m", mode, "-w", "-t", String(STOP_SECONDS)];
    const { code } = await runProgram(place, place.binaries.pgCtl, args);
    if (code === 0 || !servesCluster(postmaster.pid, place.cluster)) return;
  }
  await killServer(place);
}

/** For a server that is there and does not answer. Its data recovers from the log of changes at the next start. */
export async function killServer(place: Place): Promise<void> {
  const postmaster = readPostmaster(place.cluster);
  if (!postmaster || !servesCluster(postmaster.pid, place.cluster)) return;
  process.kill(postmaster.pid, "SIGKILL");
  while (servesCluster(postmaster.pid, place.cluster)) await delay(50);
}

/** A `postmaster.pid` whose process is gone, or is something else by now, would keep the server from starting. */
export function clearStalePidFile(place: Place): void {
  const file = join(place.cluster, "postmaster.pid");
  if (!existsSync(file)) return;
  const postmaster = readPostmaster(place.cluster);
  if (!postmaster || !servesCluster(postmaster.pid, place.cluster)) rmSync(file, { force: true });
}

/** Does the server answer? It may take long over recovery ("starting"), or be there and dead to the world ("silent"). */
export async function probeServer(password: string, port: number): Promise<"ready" | "starting" | "silent"> {
  try {
    const client = await trySuperuser(password, port);
    await client?.end().catch(() => undefined);
    return "ready";
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === CANNOT_CONNECT_NOW) return "starting";
    if (code?.startsWith(INVALID_AUTHORISATION)) throw error;
    return "silent";
  }
}

const CANNOT_CONNECT_NOW = "57P03";
const INVALID_AUTHORISATION = "28";
