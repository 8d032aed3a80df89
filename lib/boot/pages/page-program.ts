import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { setPriority } from "node:os";
import { closeDatabase, sizePool } from "#lib/db/client.ts";
import { admitLocalDomains } from "#lib/identity/domain/probing.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { openPages } from "./pages.ts";

// The program that renders pages: `node page-program.ts SOCKET [--local]`, started by page-process.ts in the project's folder. It serves Next
// on a Unix socket, says "ready" to the process that started it, and ends with it.

/** Few pages render at once, so few connections are enough. */
const CONNECTIONS = 8;

const END_SECONDS = 3;

/** Where processor time is short, the API and the database come first. */
const NICENESS = 5;

const [, , socket = "", local] = process.argv;
setPriority(NICENESS);
sizePool(CONNECTIONS);
if (local) admitLocalDomains({ ...loadEnv(), databaseUrl: undefined });

// A terminal sends these to every process of its group. The service says when this one is to end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.once("disconnect", () => void end());

const { port, host } = loadEnv();
const pages = await openPages({ dev: false, dir: process.cwd(), host, port });
const server = createServer(pages.listener);
// The service keeps its connections and decides when they are idle.
server.keepAliveTimeout = 0;
server.requestTimeout = 0;
server.listen(socket, () => process.send?.("ready"));

async function end(): Promise<void> {
  // If the service was killed, so may be the database, and nothing else removes the socket.
  setTimeout(() => process.exit(0), END_SECONDS * 1000);
  rmSync(socket, { force: true });
  server.close();
  server.closeAllConnections();
  await pages.close();
  await closeDatabase();
  process.exit(0);
}
