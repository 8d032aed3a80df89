import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The programs of others that tests use where they are installed, and the Debian packages that have them. */
const PACKAGES = {
  caddy: "caddy",
  "docker-compose": "docker-compose",
  pgbouncer: "pgbouncer",
  promtool: "prometheus",
  python3: "python3",
  "redis-server": "redis-server",
  "systemd-analyze": "systemd",
};
type Program = keyof typeof PACKAGES;

/** Where a program is; undefined if it is not installed. Debian keeps servers in a folder that is not in everyone's PATH. */
export function pathOf(program: Program): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

const reasonFor = (program: string, debianPackage: string) => `needs ${program}, Debian package ${debianPackage}`;
const CRYPTOGRAPHY = reasonFor("the Python package cryptography", "python3-cryptography");
const REASONS = new Set([
  ...Object.entries(PACKAGES).map(([program, debianPackage]) => reasonFor(program, debianPackage)),
  CRYPTOGRAPHY,
]);

/** For `skip` of a test that uses a program: why it is not run, or false if the program is installed. */
export function missing(program: Program): string | false {
  return pathOf(program) ? false : reasonFor(program, PACKAGES[program]);
}

/** The same for what needs Python with the package that checks signatures. @param python the interpreter that has it, if there is one */
export function missingCryptography(python: string | undefined): string | false {
  return missing("python3") || (python ? false : CRYPTOGRAPHY);
}

/** Whether a test was left out by `missing`. `npm test` names these at its end; any other skipped test counts as failed. */
export function isMissing(reason: unknown): reason is string {
  return typeof reason === "string" && REASONS.has(reason);
}
