import { createHash, type Hash } from "node:crypto";
import { BackupDamaged, type Entry, readArchive } from "./archive.ts";
import { FIRST, FORMAT, LAST, Manifest } from "./manifest.ts";

/** A part of a table's rows, in PostgreSQL's text format; cut anywhere. */
type Part = { table: string; content: Buffer };

/** The parts of all tables in order, then the manifest. @throws BackupDamaged */
export async function* readParts(file: string): AsyncGenerator<Part | Manifest> {
  const entries = readArchive(file);
  checkFirst(file, (await entries.next()).value as Entry | undefined);
  let manifest: Manifest | undefined;
  for await (const { name, content } of entries) {
    if (manifest) throw new BackupDamaged(`${file} continues after its manifest with "${name}".`);
    const [, table] = /^tables\/([^/]+)\/\d{6,}$/.exec(name) ?? [];
    if (table !== undefined) yield { table, content };
    else if (name === LAST) manifest = readManifest(file, content);
    else throw new BackupDamaged(`${file} contains "${name}", which no backup has.`);
  }
  if (!manifest) throw new BackupDamaged(`${file} is incomplete: it has no manifest.`);
  // Only now, when the whole file has been read: its checksum comes last.
  yield manifest;
}

/** Reads the whole file once, and compares every table with the manifest. @throws BackupDamaged */
export async function verifyBackup(file: string): Promise<Manifest> {
  const found = new Map<string, { digest: Hash; bytes: number }>();
  let manifest: Manifest | undefined;
  for await (const part of readParts(file)) {
    if (!("content" in part)) manifest = part;
    else {
      const table = found.get(part.table) ?? { digest: createHash("sha256"), bytes: 0 };
      table.digest.update(part.content);
      table.bytes += part.content.length;
      found.set(part.table, table);
    }
  }
  if (!manifest) throw new BackupDamaged(`${file} is incomplete: it has no manifest.`);
  const expected = manifest.tables.filter(({ bytes }) => bytes > 0).map(({ name }) => name);
  const extra = [...found.keys()].find((name) => !expected.includes(name));
  if (extra !== undefined) throw new BackupDamaged(`${file} is damaged: the manifest doesn't know its table ${extra}.`);
  for (const { name, bytes, sha256 } of manifest.tables) {
    const table = found.get(name) ?? { digest: createHash("sha256"), bytes: 0 };
    if (table.bytes !== bytes || table.digest.digest("hex") !== sha256)
      throw new BackupDamaged(`${file} is damaged: the rows of ${name} are not those that were written.`);
  }
  return manifest;
}

function checkFirst(file: string, entry: Entry | undefined): void {
  const about = entry?.name === FIRST ? (parse(entry.content) as { format?: unknown } | undefined) : undefined;
  if (about?.format === FORMAT) return;
  throw new BackupDamaged(
    about?.format === undefined
      ? `${file} is not a backup of this service.`
      : `${file} has the format ${about.format}, which this version does not know: restore it with the version that wrote it, or a newer one.`,
  );
}

function readManifest(file: string, content: Buffer): Manifest {
  const manifest = Manifest.safeParse(parse(content));
  if (manifest.success) return manifest.data;
  throw new BackupDamaged(`${file} is damaged: its manifest cannot be read.`);
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return undefined;
  }
}
