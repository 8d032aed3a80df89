import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { newPasswords, ROLES, roleUrl, writePasswords, writeUrl } from "./passwords.ts";
import type { Place } from "./place.ts";
import { lastLines, runProgram } from "./program.ts";

/**
 * Makes the cluster, with generated passwords. It gets its name only when it is whole, so that an interrupted attempt
 * is never taken for a database.
 */
export async function initialise(place: Place, port: number): Promise<void> {
  const passwords = newPasswords();
  await makeCluster(place, passwords.superuser, () => {
    writePasswords(place, passwords);
    writeUrl(place, roleUrl("service", passwords.service, port));
  });
}

/** @param note stores what is needed to connect, before the cluster gets its name */
export async function makeCluster(place: Place, superuserPassword: string, note: () => void): Promise<void> {
  const fresh = `${place.cluster}.new`;
  const passwordFile = `${place.cluster}.password`;
  rmSync(fresh, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, `${superuserPassword}\n`, { mode: 0o600, flag: "wx" });
  if (place.user) {
    chownSync(fresh, place.user.uid, place.user.gid);
    chownSync(passwordFile, place.user.uid, place.user.gid);
  }
  try {
    await runInitdb(place, fresh, passwordFile);
    note();
    renameSync(fresh, place.cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

// Sorting and case are PostgreSQL's own C.UTF-8, the same on every machine. What is a letter, full-text search asks of
// the system's locale. One of UTF-8 will do, whichever; plain C, which every system has, is the last resort.
const CHARACTER_LOCALES = ["C.UTF-8", "en_US.UTF-8", "C"];

async function runInitdb(place: Place, data: string, passwordFile: string): Promise<void> {
  let said = "";
  for (const locale of CHARACTER_LOCALES) {
    const { code, output } = await runProgram(place, place.binaries.initdb, [
      ...["-D", data, "-U", ROLES.superuser, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--data-checksums"],
      ...["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      ...[`--lc-ctype=${locale}`, "--text-search-config=english"],
    ]);
    if (code === 0) return;
    said = output;
    if (!said.includes("invalid locale name")) break;
  }
  if (said.includes("No space left on device")) throw diskFull(data);
  throw new Error(`initdb could not make the database in ${data}. It said:\n${lastLines(said)}`);
}

export function diskFull(where: string): Error {
  return new Error(
    `The disk that holds ${where} is full: free some space, or set DATA_DIR to a folder on another disk.`,
  );
}
