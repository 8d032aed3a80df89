import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

export type OsUser = { uid: number; gid: number; name: string };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user who runs PostgreSQL; undefined for the user of this process. PostgreSQL refuses root, so for root it is the owner
 * of the cluster that exists, else the user `postgres`, else `nobody`.
 */
export function chooseUser(clusterDir: string, passwdFile = "/etc/passwd"): OsUser | undefined {
  if (!isRoot()) return undefined;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `user ${owner.uid}` };
  const user = findUser("postgres", passwdFile) ?? findUser("nobody", passwdFile);
  if (user) return user;
  throw new Error(
    "PostgreSQL does not run as root and there is no user postgres or nobody: start as an ordinary user, or set DATABASE_URL.",
  );
}

function findUser(name: string, passwdFile: string): OsUser | undefined {
  const line = readFileSync(passwdFile, "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid && uid !== "0" ? { uid: Number(uid), gid: Number(gid), name } : undefined;
}

/** May the user read (and, if a folder or program, enter or run) the path, from the root down to it? */
export function canReach(path: string, user: OsUser | undefined): boolean {
  if (!user) return canReachMyself(path);
  const target = statSync(path, { throwIfNoEntry: false });
  const wanted = target?.isDirectory() || (target && target.mode & 0o111) ? 0o5 : 0o4;
  if (!target || !allows(target, user, wanted)) return false;
  return canEnter(dirname(resolve(path)), user);
}

/** May the user pass through the folder and all above it? */
export function canEnter(folder: string, user: OsUser | undefined): boolean {
  if (!user) return canReachMyself(folder);
  for (let path = resolve(folder); ; path = dirname(path)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat || !allows(stat, user, 0o1)) return false;
    if (path === dirname(path)) return true;
  }
}

function allows(stat: { mode: number; uid: number; gid: number }, user: OsUser, wanted: number): boolean {
  const shift = stat.uid === user.uid ? 6 : stat.gid === user.gid ? 3 : 0;
  return ((stat.mode >> shift) & wanted) === wanted;
}

function canReachMyself(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
