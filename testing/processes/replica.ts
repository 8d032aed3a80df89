import { appendFileSync, chownSync, cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { choosePlace, type Place } from "#lib/db/embedded/place.ts";
import { clearStalePidFile, killServer, startServer, stopServer } from "#lib/db/embedded/server.ts";
import type { Embedded } from "#lib/db/embedded.ts";
import { withClient } from "#lib/db/with-client.ts";
import { freePort } from "#lib/kernel/free-port.ts";

export type TestReplica = {
  /** As the service's role. */
  url: string;
  superuserUrl: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Ends the recovery: from here on it takes writes. */
  promote(): Promise<void>;
};

/**
 * Starts a streaming replica of an embedded server, from a copy of its files (`pg_basebackup` doesn't come with the package).
 * @param dir where the primary was opened
 * @param to an empty folder
 * @param name what `synchronous_standby_names` can call it
 */
export async function startReplica(primary: Embedded, dir: string, to: string, name = "replica"): Promise<TestReplica> {
  const from = choosePlace(dir, () => undefined);
  const place: Place = { ...choosePlace(to, () => undefined), binaries: from.binaries, user: from.user };
  await copyCluster(primary, from.cluster, place, name);
  const port = await freePort();
  const own = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const start = () => {
    clearStalePidFile(place);
    return startServer(place, port, { shared_buffers: "64MB" });
  };
  await start();
  return {
    url: own(primary.url),
    superuserUrl: own(primary.superuserUrl()),
    start,
    stop: () => stopServer(place),
    kill: () => killServer(place),
    async promote() {
      await withClient(own(primary.superuserUrl()), (client) => client.query("SELECT pg_promote(true, 30)"));
    },
  };
}

async function copyCluster(primary: Embedded, cluster: string, place: Place, name: string): Promise<void> {
  await withClient(primary.superuserUrl(), async (client) => {
    await client.query("SELECT pg_backup_start('replica', true)");
    cpSync(cluster, place.cluster, {
      recursive: true,
      filter: (path) => !/\/(?:postmaster\.pid|server\.log)$/.test(path),
    });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
    writeFileSync(join(place.cluster, "backup_label"), rows[0]?.labelfile ?? "");
  });
  const { username, password, port } = new URL(primary.superuserUrl());
  const connection = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${name}`;
  appendFileSync(join(place.cluster, "postgresql.auto.conf"), `\nprimary_conninfo = '${connection}'\n`);
  writeFileSync(join(place.cluster, "standby.signal"), "");
  if (place.user) give(place.cluster, place.user);
}

function give(path: string, user: { uid: number; gid: number }): void {
  chownSync(path, user.uid, user.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) give(join(path, entry.name), user);
    else chownSync(join(path, entry.name), user.uid, user.gid);
  }
}
