import { join } from "node:path";
import { after } from "node:test";
import { makeCluster } from "#lib/db/embedded/initialise.ts";
import { writeUrl } from "#lib/db/embedded/passwords.ts";
import { choosePlace } from "#lib/db/embedded/place.ts";
import { startServer, stopServer } from "#lib/db/embedded/server.ts";
import { type Embedded, openEmbedded } from "#lib/db/embedded.ts";
import { freePort } from "#lib/kernel/free-port.ts";
import { query } from "../query.ts";
import { openFolder, removeFolder } from "./embedded.ts";

const folders: string[] = [];
after(() => folders.forEach(removeFolder));

/** Deletes this folder after the tests of the file. */
export function removeAtEnd(folder: string): void {
  folders.push(folder);
}

/** Where a database of a test may put its data: nothing is there yet. */
export function newDir(): string {
  const folder = openFolder();
  removeAtEnd(folder);
  return join(folder, "data");
}

/** Commits a note, which `recall` finds as long as the data is there. */
export async function remember(database: { ownerUrl: string }, text: string): Promise<void> {
  await query(database.ownerUrl, "CREATE TABLE IF NOT EXISTS notes (note text NOT NULL)");
  await query(database.ownerUrl, `INSERT INTO notes VALUES ('${text}')`);
}

export const recall = (database: { ownerUrl: string }) =>
  query(database.ownerUrl, "SELECT note FROM notes ORDER BY note");

/** Opens the database in `dir` for this work, and leaves it afterwards. */
export async function using<T>(dir: string, work: (database: Embedded) => Promise<T>): Promise<T> {
  const database = await openEmbedded({ dir });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Makes a database as earlier versions did, with one role that owns everything and shares the superuser's password, and does
 * `work` with it before it is left.
 */
export async function madeByEarlierVersion(dir: string, work: (url: string) => Promise<unknown>): Promise<void> {
  const place = choosePlace(dir, () => undefined);
  const [password, port] = ["one-password-for-every-role", await freePort()];
  const url = (role: string, database: string) => `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
  await makeCluster(place, password, () => writeUrl(place, url("guildhall", "guildhall")));
  await startServer(place, port, {});
  try {
    await query(url("postgres", "postgres"), `CREATE ROLE guildhall LOGIN CREATEDB PASSWORD '${password}'`);
    await query(url("postgres", "postgres"), "CREATE DATABASE guildhall OWNER guildhall");
    await work(url("guildhall", "guildhall"));
  } finally {
    await stopServer(place);
  }
}
