import { z } from "zod";

/** Names of the archive's first and last entry. Between them are the tables' parts. */
export const FIRST = "guildhall-backup.json";
export const LAST = "manifest.json";
export const FORMAT = 1;

/** Fingerprints of what has to be kept beside a backup, because a backup holds no secret of the installation. */
const Secrets = z.object({
  /** The version of `AUTH_SECRET` (docs/keys.md), and of each previous one. */
  auth_secret: z.string(),
  auth_secrets_previous: z.array(z.string()),
  /** The transparency logs that have been signed, newest first, with their verifier keys. */
  logs: z.array(z.object({ id: z.int(), origin: z.string(), vkey: z.string() })),
});
export type SecretPrints = z.output<typeof Secrets>;

const BackedUpTable = z.object({
  /** With its schema unless that is the database's own. */
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  bytes: z.int(),
  /** SHA-256 of the rows in PostgreSQL's text format, in hexadecimal. */
  sha256: z.string(),
});
export type BackedUpTable = z.output<typeof BackedUpTable>;

export const Manifest = z.object({
  format: z.literal(FORMAT),
  made_at: z.iso.datetime(),
  /** Version of the server that the rows came from. */
  postgresql: z.string(),
  /** The migrations that the database had, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  secrets: Secrets,
  tables: z.array(BackedUpTable),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
});
export type Manifest = z.output<typeof Manifest>;

/** What a backup holds of all tables together. */
export function totalOf({ tables }: Pick<Manifest, "tables">): { tables: number; rows: number; bytes: number } {
  const sum = (field: "rows" | "bytes") => tables.reduce((total, table) => total + table[field], 0);
  return { tables: tables.length, rows: sum("rows"), bytes: sum("bytes") };
}
