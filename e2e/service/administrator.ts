import { join } from "node:path";
import { openEmbedded } from "#lib/db/embedded.ts";
import { runCommand } from "./command.ts";

/** The administrator of the tested service, and the URL of its database, for what the API cannot create. */
export type Administrator = {
  email: string;
  password: string;
  name: string;
  databaseUrl: string;
  /** The service's data folder. Another process with the same folder joins this installation. */
  dataDir: string;
};

/** Creates an administrator with the command-line tool while the service runs. */
export async function makeAdministrator(dataDir: string): Promise<Administrator> {
  const [email, password] = ["root@example.com", "an office of trust"];
  const variables = { DATA_DIR: dataDir, ADMIN_PASSWORD: password };
  const { code, said } = await runCommand(["admin.ts", "create", email], variables);
  if (code !== 0) throw new Error(`No administrator was made: ${said}`);
  return { email, password, name: "Administrator", databaseUrl: await databaseOf(dataDir), dataDir };
}

/** The URL of the database of a service that runs. */
export async function databaseOf(dataDir: string): Promise<string> {
  const database = await openEmbedded({ dir: join(dataDir, "postgres") });
  // The service holds it for longer than any test.
  await database.close();
  return database.url;
}
