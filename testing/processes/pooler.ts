import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withClient } from "#lib/db/with-client.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { pathOf } from "../missing-program.ts";
import { ORDINARY_USER } from "./embedded.ts";

/** The limits that the role has behind a pooler (docs/operations.md). */
const LIMITS =
  "SET statement_timeout = 30000; SET lock_timeout = 10000; SET idle_in_transaction_session_timeout = 30000";
const START_MS = 20_000;

/** What every user who comes to the pooler logs in as; their own names and passwords are not looked at. */
const ANY_USER = "any";

/**
 * Starts PgBouncer in transaction mode before all databases of a server.
 * @param url of any database there, as the role that everyone logs in as
 * @param connections to each database: few for many clients, so that whatever is left on one meets somebody else
 * @returns the URL of the database that `url` names, through the pooler
 */
export async function startPooler(url: string, connections: number): Promise<{ url: string; stop(): void }> {
  const program = pathOf("pgbouncer");
  if (!program) throw new Error("PgBouncer is not installed: install the Debian package pgbouncer.");
  // Over TCP: the server's socket is only for its own user.
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "guildhall-pooler-"));
  const own = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password} connect_query='${LIMITS}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 2000
server_idle_timeout = 10
`,
  );
  if (ORDINARY_USER) for (const path of [folder, file]) chownSync(path, ORDINARY_USER.uid, ORDINARY_USER.gid);
  const running = spawn(program, [file], { stdio: "ignore", ...ORDINARY_USER });
  const stop = () => {
    running.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const pooled = `postgresql://${ANY_USER}@127.0.0.1:${own}${pathname}`;
  const givenUp = Date.now() + START_MS;
  while (!(await answers(pooled))) {
    if (running.exitCode !== null || Date.now() > givenUp) {
      stop();
      throw new Error("PgBouncer does not answer.");
    }
    await delay(50);
  }
  return { url: pooled, stop };
}

const answers = (url: string) => withClient(url, async () => true).catch(() => false);
