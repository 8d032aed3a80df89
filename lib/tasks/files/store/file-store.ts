import { env } from "#lib/kernel/env.ts";
import { folderStore } from "./folder.ts";
import { s3Store } from "./s3.ts";
import type { FileStore } from "./store.ts";

/** The store that this process is configured for. */
export function fileStore(): FileStore {
  const { filesDir, filesS3 } = env();
  return filesS3 ? s3Store(filesS3, filesDir) : folderStore(filesDir);
}
