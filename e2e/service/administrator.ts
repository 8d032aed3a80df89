import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { openEmbedded } from "#lib/db/embedded.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Who administers the service of the tests, and where its database is, for what no interface can make. */
export type Administrator = {
  email: string;
  password: string;
  name: string;
  databaseUrl: string;
  /** The folder of the service: another process that is given it is a second one of the same place. */
  dataDir: string;
};

/** Makes an administrator beside the running service, by the command that is there for it. */
export async function makeAdministrator(dataDir: string): Promise<Administrator> {
  const [email, password] = ["root@example.com", "an office of trust"];
  await run(dataDir, password, ["admin.ts", "create", email]);
  return { email, password, name: "Administrator", databaseUrl: await databaseOf(dataDir), dataDir };
}

function run(dataDir: string, password: string, args: string[]): Promise<string> {
  const { DATABASE_URL, REDIS_URL, ...rest } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...rest, DATA_DIR: dataDir, ADMIN_PASSWORD: password },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => (code === 0 ? done(said) : fail(new Error(`${args.join(" ")} failed: ${said}`))));
  });
}

async function databaseOf(dataDir: string): Promise<string> {
  const database = await openEmbedded({ dir: join(dataDir, "postgres") });
  // The service holds it for longer than any test.
  await database.close();
  return database.url;
}
