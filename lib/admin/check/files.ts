import { createHash } from "node:crypto";
import type { QueryFn } from "#lib/db/connection.ts";
import { fileStore } from "#lib/tasks/files/store/file-store.ts";
import { type Finding, finding } from "./finding.ts";

const BATCH = 500;

/**
 * Compares every kept file with the store: its bytes are there, and with `deep` they have their hash. A file that is removed meanwhile may
 * be reported.
 */
export async function checkFiles(query: QueryFn, deep: boolean): Promise<Finding> {
  const problems: string[] = [];
  let checked = 0;
  let last = "";
  for (;;) {
    const contents = await query<{ sha256: string; size: number; fileId: string }>(
      `SELECT sha256, max(size) AS size, max(id) AS "fileId" FROM files WHERE state = 'kept' AND sha256 > $1
       GROUP BY sha256 ORDER BY sha256 LIMIT ${BATCH}`,
      [last],
    );
    for (const { sha256, size, fileId } of contents) {
      const problem = await problemOf(sha256, size, deep);
      if (problem) problems.push(`${fileId} ${problem}`);
    }
    checked += contents.length;
    if (contents.length < BATCH) return finding(deep ? "files and their hashes" : "files", checked, problems);
    last = contents.at(-1)?.sha256 ?? last;
  }
}

async function problemOf(sha256: string, size: number, deep: boolean): Promise<string | undefined> {
  const found = await fileStore().sizeOf(sha256);
  if (found === undefined) return "has no bytes in the store";
  if (found !== size) return `has ${found} bytes in the store, not ${size}`;
  if (!deep) return undefined;
  const hash = createHash("sha256");
  for await (const piece of await fileStore().read(sha256)) hash.update(piece as Buffer);
  return `sha256:${hash.digest("hex")}` === sha256 ? undefined : "has bytes with another hash in the store";
}
