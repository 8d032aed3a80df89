import * as db from "#lib/db/columns.ts";
import type { Connection } from "#lib/db/connection.ts";
import { statement } from "#lib/db/statement.ts";
import { lightTransaction } from "#lib/db/tx.ts";
import { fileStore } from "./store/file-store.ts";

// Which content is in the store. A row in file_contents comes before the bytes and goes after them, so that a crash leaves nothing
// unknown in the store. Files with the same bytes share it: whether any file still needs it is decided with its row locked.

const name = statement(
  "file.content_named",
  { sha256: db.text },
  "UPDATE files SET sha256 = $2 WHERE id = $1 AND state = 'uploading' RETURNING sha256",
);
const enter = statement(
  "file.content_enter",
  { sha256: db.text },
  `INSERT INTO file_contents (sha256, size) VALUES ($1, $2)
   ON CONFLICT (sha256) DO UPDATE SET leaving = false WHERE NOT file_contents.leaving RETURNING sha256`,
);

/**
 * Announces the content of an upload, which may be written to the store from then on.
 * @returns whether it may: false if the same content is being deleted, or the upload no longer has a reservation
 */
export function announceContent(fileId: string, sha256: string, size: number): Promise<boolean> {
  return lightTransaction(async (tx) => {
    const [entered] = await enter.on(tx, sha256, size);
    if (!entered) return false;
    const [named] = await name.on(tx, fileId, sha256);
    return named !== undefined;
  });
}

const lock = statement(
  "file.content_lock",
  { sha256: db.text },
  "SELECT sha256 FROM file_contents WHERE sha256 = $1 FOR UPDATE",
);
// Apart from the lock, so that it sees what was committed while that waited.
const leave = statement(
  "file.content_leave",
  { sha256: db.text },
  `UPDATE file_contents c SET leaving = true
   WHERE c.sha256 = $1 AND NOT EXISTS (SELECT FROM files f WHERE f.sha256 = c.sha256 AND f.state <> 'removed') RETURNING c.sha256`,
);
const forget = statement(
  "file.content_forget",
  { sha256: db.text },
  "DELETE FROM file_contents WHERE sha256 = $1 AND leaving RETURNING sha256",
);

async function isLeaving(tx: Connection, sha256: string): Promise<boolean> {
  await lock.on(tx, sha256);
  return (await leave.on(tx, sha256)).length > 0;
}

/** Deletes those of these contents that no file needs any more. Call it after the commit that made them unneeded. */
export async function dropUnneeded(hashes: Iterable<string>): Promise<void> {
  for (const sha256 of new Set(hashes)) {
    if (!(await lightTransaction((tx) => isLeaving(tx, sha256)))) continue;
    await fileStore().remove(sha256);
    await forget(sha256);
  }
}

const unneeded = statement(
  "file.contents_unneeded",
  { sha256: db.text },
  `SELECT c.sha256 FROM file_contents c
   WHERE c.sha256 > $1 AND NOT EXISTS (SELECT FROM files f WHERE f.sha256 = c.sha256 AND f.state <> 'removed') ORDER BY c.sha256 LIMIT 500`,
);

/** The same for all that a crash has left. */
export async function dropAllUnneeded(): Promise<void> {
  let last = "";
  for (;;) {
    const found = await unneeded(last);
    await dropUnneeded(found.map(({ sha256 }) => sha256));
    if (found.length < 500) return;
    last = found.at(-1)?.sha256 ?? last;
  }
}
