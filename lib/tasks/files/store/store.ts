import type { Readable } from "node:stream";

// Where the bytes of files are, by their SHA-256. What must stay true: content that a file refers to is there as a whole, whenever a process
// is killed; and content that no file refers to is gone within the hour. The rows in file_contents say what may be there (see
// `lib/tasks/files/contents.ts`); `lib/tasks/files/kill.itest.ts` holds it.

/** An upload under way: a local file with a name of its own. */
export type Draft = {
  path: string;
  write(chunk: Uint8Array): Promise<void>;
  /** To be called once everything is written: makes it outlast a power failure, where the store needs that. */
  sync(): Promise<void>;
  /** Closes it, and removes it unless it was placed. */
  discard(): Promise<void>;
};

/** Which bytes to read: both ends belong to it. */
export type ByteRange = { start: number; end: number };

export type FileStore = {
  newDraft(): Promise<Draft>;
  /** Puts what is in the draft, which was synced, into the store. When this returns, it outlasts a power failure. */
  place(draft: Draft, sha256: string): Promise<void>;
  /** @throws ContentMissing */
  read(sha256: string, range?: ByteRange): Promise<Readable>;
  /** In bytes; undefined if it is not there. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** Does nothing if it is not there. */
  remove(sha256: string): Promise<void>;
  /** Removes drafts that nobody has written to since. */
  sweepDrafts(before: Date): Promise<void>;
};

/** The database has a file whose bytes are not in the store. */
export class ContentMissing extends Error {
  constructor(sha256: string) {
    super(
      `The store of files lacks ${sha256}. Restore it from a backup; npm run admin -- check --deep lists all of them.`,
    );
  }
}

/** The digits alone, as names in the store have them. */
export const digitsOf = (sha256: string) => sha256.slice("sha256:".length);
