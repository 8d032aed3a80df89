import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { type Binaries, prepareBinaries } from "./binaries.ts";
import { canEnter, chooseUser, isRoot, type OsUser } from "./os-user.ts";

/** Where one cluster lives and who runs it. */
export type Place = {
  /** The data folder of PostgreSQL. */
  cluster: string;
  /** Holds the URL that the service connects with, including its password; readable only by us. */
  urlFile: string;
  /** Holds the passwords of all roles; readable only by us. Databases of earlier versions don't have it. */
  passwordsFile: string;
  /** Held for as long as a start or stop takes. */
  turnLock: string;
  /** Shared by every process that uses the server. */
  usersLock: string;
  user: OsUser | undefined;
  binaries: Binaries;
};

/** Root's place for what the user who runs PostgreSQL could not reach elsewhere. */
const SYSTEM_DIR = "/var/lib/guildhall";

/**
 * Finds or chooses the place of the cluster that belongs to `dir`. That is inside it, unless we are root and the user
 * who must run PostgreSQL cannot enter there: then it is below `systemDir`, and a note in `dir` says where.
 */
export function choosePlace(dir: string, log: (line: string) => void, systemDir: string = SYSTEM_DIR): Place {
  openDir(dir);
  const home = chooseHome(dir, systemDir, log);
  const cluster = join(home, "cluster");
  const user = chooseUser(cluster);
  checkOwner(cluster);
  return {
    cluster,
    urlFile: join(home, "url"),
    passwordsFile: join(home, "passwords"),
    turnLock: join(dir, "locks", "turn"),
    usersLock: join(dir, "locks", "users"),
    user,
    binaries: prepareBinaries(user, isRoot() ? systemDir : home),
  };
}

function openDir(dir: string): void {
  try {
    mkdirSync(join(dir, "locks"), { recursive: true, mode: 0o755 });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    accessSync(join(dir, "locks"), constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    throw new Error(
      `The folder ${dir} cannot be written by this user: change its owner, or set DATA_DIR to another folder.`,
    );
  }
}

function chooseHome(dir: string, systemDir: string, log: (line: string) => void): string {
  if (existsSync(join(dir, "cluster"))) return dir;
  const note = join(dir, "cluster-is-elsewhere.txt");
  if (existsSync(note)) return readFileSync(note, "utf8").split("\n", 1)[0] ?? dir;
  if (canEnter(dir, chooseUser(join(dir, "cluster")))) return dir;
  // With a random part, so that deleting `dir` to start again does not bring back the old data.
  const hash = createHash("sha256").update(resolve(dir)).digest("hex").slice(0, 12);
  const home = join(systemDir, `${hash}-${randomBytes(3).toString("hex")}`);
  makeSystemDir(systemDir);
  mkdirSync(home, { mode: 0o711 });
  chmodSync(home, 0o711);
  writeFileSync(note, `${home}\n\n${NOTE}`);
  log(`${dir} is closed to the user who runs PostgreSQL: its data lives in ${home}`);
  return home;
}

const NOTE = `PostgreSQL does not run as root, and the user who runs it cannot enter this folder.
Its data is therefore in the folder named above; delete both to start afresh.
`;

function makeSystemDir(systemDir: string): void {
  try {
    mkdirSync(systemDir, { recursive: true, mode: 0o755 });
    chmodSync(systemDir, 0o755);
  } catch {
    throw new Error(
      `PostgreSQL's data can be put neither in the project's folder nor in ${systemDir}: set DATA_DIR to a folder that everyone may enter, or set DATABASE_URL.`,
    );
  }
}

function checkOwner(cluster: string): void {
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || isRoot() || !process.getuid || owner === process.getuid()) return;
  throw new Error(
    `The database in ${cluster} belongs to another user (${owner}): start as that user or as root, or set DATA_DIR to another folder.`,
  );
}
