import { join } from "node:path";
import { openEmbedded } from "#lib/db/embedded.ts";
import { runCommand } from "./command.ts";

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
  const variables = { DATA_DIR: dataDir, ADMIN_PASSWORD: password };
  const { code, said } = await runCommand(["admin.ts", "create", email], variables);
  if (code !== 0) throw new Error(`No administrator was made: ${said}`);
  return { email, password, name: "Administrator", databaseUrl: await databaseOf(dataDir), dataDir };
}

async function databaseOf(dataDir: string): Promise<string> {
  const database = await openEmbedded({ dir: join(dataDir, "postgres") });
  // The service holds it for longer than any test.
  await database.close();
  return database.url;
}
