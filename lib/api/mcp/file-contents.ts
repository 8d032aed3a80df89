import { buffer } from "node:stream/consumers";
import { env } from "#lib/kernel/env.ts";
import type { FileWire } from "#lib/tasks/files/schema.ts";
import { fileStore } from "#lib/tasks/files/store/file-store.ts";

type Embedded = { type: "resource"; resource: { uri: string; mimeType: string; text: string } };
type Link = { type: "resource_link"; uri: string; name: string; mimeType: string; size: number };
export type FileContent = Embedded | Link;

/** Larger files are links, and so are those after so many bytes in one answer. */
const MOST_BYTES = 64 * 1024;
const MOST_BYTES_IN_ALL = 256 * 1024;

const TEXT = /^text\/|^application\/(?:json|xml|yaml|x-yaml|csv|toml|javascript|x-ndjson)$|\+(?:json|xml)$/;

/** The kept ones of the files that a caller has listed, as content of the protocol: small texts themselves, others by their URL. */
export async function fileContents(files: readonly FileWire[]): Promise<FileContent[]> {
  const contents: FileContent[] = [];
  let left = MOST_BYTES_IN_ALL;
  for (const file of files.filter(({ state }) => state === "kept")) {
    const { name, size, media_type: mimeType } = file;
    const uri = `${env().baseUrl}/api/v1/jobs/files/${file.file_id}`;
    const text = size <= Math.min(MOST_BYTES, left) && TEXT.test(mimeType) ? await textOf(file) : undefined;
    if (text === undefined) contents.push({ type: "resource_link", uri, name, mimeType, size });
    else {
      contents.push({ type: "resource", resource: { uri, mimeType, text } });
      left -= size;
    }
  }
  return contents;
}

/** Undefined if it is no text in UTF-8 after all. */
async function textOf({ sha256 }: FileWire): Promise<string | undefined> {
  const bytes = await buffer(await fileStore().read(sha256));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
