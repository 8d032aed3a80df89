import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openEmbedded } from "#lib/db/embedded.ts";
import { onceEach } from "#lib/kernel/once-each.ts";
import { ensurePushKey, ensureSecrets } from "./secrets.ts";

export type OpenDatabase = {
  url: string;
  /**
   * Calls `work` with the URL of the role that owns the tables (`url` if the roles are not separated), then forgets that URL,
   * so that the code that serves requests cannot change tables. Call it once.
   */
  asOwner<T>(work: (ownerUrl: string) => Promise<T>): Promise<T>;
  /** For the person who starts the service: what was found, or done. */
  outcome: string;
  close(): Promise<void>;
};

type Config = {
  databaseUrl: string | undefined;
  databaseOwnerUrl?: string | undefined;
  directDatabaseUrl?: string | undefined;
  authSecret: string | undefined;
  authSecretsPrevious?: string[];
  vapidPrivateKey?: string | undefined;
  dataDir: string;
};

/**
 * The database that the configuration asks for: the one of `DATABASE_URL`, or our own below `DATA_DIR`, which is
 * watched and restarted if it dies. Its URL and the secrets are put into `process.env`, where the rest of the process and its child
 * processes read them; the owner's URL is removed from there.
 */
export async function openDatabase(env: Config, log: (line: string) => void = () => undefined): Promise<OpenDatabase> {
  Object.assign(process.env, ensureSecrets(env), ensurePushKey(env));
  delete process.env.DATABASE_OWNER_URL;
  const database = env.databaseUrl ? await openOutside(env.databaseUrl, env, log) : await openOwn(env.dataDir, log);
  process.env.DATABASE_URL = database.url;
  // Whether other processes on this database share our data folder, which the log's key and state depend on.
  if (env.databaseUrl) delete process.env.OWN_DATABASE;
  else process.env.OWN_DATABASE = "1";
  return database;
}

const OUTCOMES = {
  initialised: "created and started",
  started: "started",
  attached: "shared with another process",
};

async function openOwn(dataDir: string, log: (line: string) => void): Promise<OpenDatabase> {
  const { url, ownerUrl, started, ...database } = await openEmbedded({ dir: join(dataDir, "postgres"), log });
  const stopWatching = watch(() => database.ensureRunning(), log);
  return {
    url,
    asOwner: once(ownerUrl),
    outcome: OUTCOMES[started],
    async close() {
      stopWatching();
      await database.close();
    },
  };
}

function once(ownerUrl: string): OpenDatabase["asOwner"] {
  let kept: string | undefined = ownerUrl;
  return (work) => {
    if (kept === undefined) throw new Error("The owner's URL has already been used and forgotten.");
    const given = kept;
    kept = undefined;
    return work(given);
  };
}

const WATCH_SECONDS = 1;

function watch(ensureRunning: () => Promise<void>, log: (line: string) => void): () => void {
  const report = onceEach((message) => log(`The database cannot be started again: ${message}`));
  const timer = setInterval(() => void ensureRunning().then(() => report(), report), WATCH_SECONDS * 1000);
  timer.unref();
  return () => clearInterval(timer);
}

const PATIENCE_SECONDS = 30;

async function openOutside(url: string, env: Config, log: (line: string) => void): Promise<OpenDatabase> {
  // Migrations need a session, which a pooler does not give.
  const direct = env.directDatabaseUrl ?? url;
  const ownerUrl = env.databaseOwnerUrl ?? direct;
  const { host } = new URL(url);
  await connect("DATABASE_URL", url, log);
  if (direct !== url) await connect("DIRECT_DATABASE_URL", direct, log);
  if (ownerUrl !== direct) await connect("DATABASE_OWNER_URL", ownerUrl, log);
  return { url, asOwner: once(ownerUrl), outcome: `DATABASE_URL at ${host}`, close: async () => undefined };
}

/** Waits for a server that is still starting. Wrong credentials or a wrong name fail at once, because waiting does not fix them. */
async function connect(variable: string, url: string, log: (line: string) => void): Promise<void> {
  const { host, pathname } = new URL(url);
  const deadline = performance.now() + PATIENCE_SECONDS * 1000;
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      const { code = "", message } = error as { code?: string; message: string };
      const isRefusal = /^(28|3D)/.test(code);
      if (isRefusal || performance.now() > deadline) {
        throw new Error(
          `${variable}: ${host}${pathname} cannot be used (${message || code}). Correct it, or remove it${variable === "DATABASE_URL" ? " to use the database that comes with Guildhall" : ""}.`,
        );
      }
      if (attempt === 1) log(`Waiting for the database at ${host}`);
      await delay(500);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
