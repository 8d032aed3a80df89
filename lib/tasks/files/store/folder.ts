import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ByteRange, ContentMissing, type Draft, digitsOf, type FileStore } from "./store.ts";

/** One read of a download; a client that reads slowly holds one of them in memory, and one in its socket. */
const READ_BYTES = 64 * 1024;

/** A folder: `ab/ab12…` for each content, and `drafts/` for uploads under way. */
export function folderStore(dir: string): FileStore {
  const placeOf = (sha256: string) => join(dir, digitsOf(sha256).slice(0, 2), digitsOf(sha256));
  return {
    newDraft: () => newDraft(dir),

    async place(draft, sha256) {
      const place = placeOf(sha256);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await rename(draft.path, place);
      // A new name is durable only once its folder is synced, and a new folder once the one above is. Windows neither needs nor allows this.
      if (process.platform === "win32") return;
      await syncFolder(dirname(place));
      await syncFolder(dir);
    },

    async read(sha256, range?: ByteRange) {
      const bytes = createReadStream(placeOf(sha256), { highWaterMark: READ_BYTES, ...range });
      await once(bytes, "open").catch(missing(sha256));
      return bytes;
    },

    sizeOf: (sha256) =>
      stat(placeOf(sha256)).then(
        ({ size }) => size,
        (error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return undefined;
          throw error;
        },
      ),

    remove: (sha256) => rm(placeOf(sha256), { force: true }),

    sweepDrafts: (before) => sweepDrafts(dir, before),
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const missing = (sha256: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === "ENOENT" ? new ContentMissing(sha256) : error;
};

const draftsOf = (dir: string) => join(dir, "drafts");

/** A new file that only this service can read. */
export async function newDraft(dir: string): Promise<Draft> {
  await mkdir(draftsOf(dir), { recursive: true, mode: 0o700 });
  const path = join(draftsOf(dir), randomBytes(16).toString("hex"));
  const file = await open(path, "wx", 0o600);
  return {
    path,
    async write(chunk) {
      for (let written = 0; written < chunk.byteLength; )
        written += (await file.write(chunk, written, chunk.byteLength - written)).bytesWritten;
    },
    sync: () => file.sync(),
    async discard() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

export async function sweepDrafts(dir: string, before: Date): Promise<void> {
  for (const name of await readdir(draftsOf(dir)).catch(() => [])) {
    const path = join(draftsOf(dir), name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}
