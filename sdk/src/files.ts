import type { CallOptions } from "./call.ts";
import { BadAnswer } from "./errors.ts";
import type { File } from "./generated/api.ts";
import { readAnswer, type Sent, type Transport } from "./transport.ts";

/** What is uploaded: a path (in Node.js), or the bytes. A stream is collected first, because the service needs the length. */
export type FileContent = string | Blob | Uint8Array | ReadableStream<Uint8Array>;

export type UploadInput = {
  task_id: string;
  purpose: "brief" | "result";
  /** Default: the last part of the path. */
  name?: string;
  media_type?: string;
};

/** @internal Prepares a call of the path of files, with the client's credential. */
export type PrepareFile = (
  method: "GET" | "PUT",
  part: string,
  query: Record<string, string>,
  options: CallOptions,
) => Sent;

/** A slower upload is cut off by the service. */
const SLOWEST_BYTES_PER_SECOND = 64 * 1024;
const GRACE_MS = 30_000;
const patience = (bytes: number) => Math.ceil(GRACE_MS + (bytes / SLOWEST_BYTES_PER_SECOND) * 1_000);
const LARGEST_BYTES = 25 * 1024 * 1024;

/** @internal Uploads a file with its digest, so that what is stored is what was read. Sending it again gives the same answer. */
export async function uploadFile(
  transport: Transport,
  prepare: PrepareFile,
  content: FileContent,
  { task_id, purpose, name, media_type: type }: UploadInput,
  options: CallOptions = {},
): Promise<{ file: File }> {
  const bytes = await blobOf(content, type);
  const named = name ?? (typeof content === "string" ? (content.split(/[/\\]/).at(-1) ?? "") : undefined);
  if (!named) throw new TypeError("name is missing: the file needs one.");
  const sent = prepare("PUT", encodeURIComponent(named), { task_id, purpose }, options);
  const digest = await digestOf(bytes);
  return (await transport.call({
    ...sent,
    headers: {
      ...sent.headers,
      "Content-Type": bytes.type || "application/octet-stream",
      "Repr-Digest": digest,
    },
    body: bytes,
    repeatable: true,
    timeoutMs: options.timeoutMs ?? patience(bytes.size),
  })) as { file: File };
}

/** @internal The bytes of a file, which have the digest that the service gave for them. */
export async function downloadFile(
  transport: Transport,
  prepare: PrepareFile,
  fileId: string,
  options: CallOptions = {},
): Promise<Blob> {
  const sent = prepare("GET", encodeURIComponent(fileId), {}, options);
  const deadline = AbortSignal.timeout(options.timeoutMs ?? patience(LARGEST_BYTES));
  const response = await transport.open(sent, deadline);
  const call = `GET ${sent.url.pathname}`;
  if (!response.ok) readAnswer(call, response, await response.text());
  const bytes = await response.blob();
  if (response.headers.get("Repr-Digest") !== (await digestOf(bytes)))
    throw new BadAnswer(`${call}: the bytes do not have their digest.`, {
      code: "bad_answer",
      status: response.status,
      retryable: true,
    });
  return bytes;
}

async function blobOf(content: FileContent, type: string | undefined): Promise<Blob> {
  const options = type === undefined ? {} : { type };
  if (typeof content === "string") {
    // Only there, so that the client loads in a browser.
    const { openAsBlob } = await import("node:fs");
    return openAsBlob(content, options);
  }
  if (content instanceof ReadableStream) return blobOf(await new Response(content).blob(), type);
  if (content instanceof Blob) return type === undefined ? content : content.slice(0, content.size, type);
  return new Blob([content as Uint8Array<ArrayBuffer>], options);
}

async function digestOf(bytes: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await bytes.arrayBuffer()));
  return `sha-256=:${btoa(String.fromCharCode(...digest))}:`;
}
