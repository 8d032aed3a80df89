import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeDurable } from "#lib/kernel/files/durable-file.ts";
import type { Place } from "./place.ts";

export const DATABASE = "guildhall";

/** The cluster's roles, by name. */
export const ROLES = {
  /** Creates roles and databases. Only this folder, tests and benchmarks connect as it. */
  superuser: "postgres",
  /** Owns the database and everything in it, and applies migrations. */
  owner: "guildhall_owner",
  /** Used by the running service: reads and writes rows, but cannot change tables. */
  service: "guildhall",
} as const;

export type Role = keyof typeof ROLES;
export type Passwords = Record<Role, string>;

export function newPasswords(): Passwords {
  const password = () => randomBytes(24).toString("base64url");
  return { superuser: password(), owner: password(), service: password() };
}

export function roleUrl(role: Role, password: string, port: number, database: string = DATABASE): string {
  return `postgresql://${ROLES[role]}:${password}@127.0.0.1:${port}/${database}`;
}

/** The cluster's passwords; undefined if an earlier version made it, or the file is lost. */
export function readPasswords(place: Place): Passwords | undefined {
  if (!existsSync(place.passwordsFile)) return undefined;
  try {
    return JSON.parse(readFileSync(place.passwordsFile, "utf8")) as Passwords;
  } catch {
    throw lost(place, place.passwordsFile);
  }
}

export function writePasswords(place: Place, passwords: Passwords): void {
  writeDurable(place.passwordsFile, `${JSON.stringify(passwords, null, 2)}\n`);
}

/** The service's URL, with the cluster's last port. In earlier versions its password was every role's. */
export function readUrl(place: Place): URL {
  try {
    return new URL(readFileSync(place.urlFile, "utf8").trim());
  } catch {
    throw lost(place, place.urlFile);
  }
}

/** @param url the file's new content */
export function writeUrl(place: Place, url: string): void {
  writeDurable(place.urlFile, `${url}\n`);
}

export function lost(place: Place, file: string): Error {
  return new Error(
    `${file}, which holds the password of the database in ${place.cluster}, cannot be read: put it back, or move both away to start with an empty database.`,
  );
}
