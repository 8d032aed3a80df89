import { openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import type { S3Bucket } from "#lib/kernel/env/s3-url.ts";
import { newDraft, sweepDrafts } from "./folder.ts";
import { ContentMissing, digitsOf, type FileStore } from "./store.ts";

/** For the store to begin its answer; a whole file is sent before that. */
const ANSWER_MS = 120_000;
const RETRIES = 3;

/** A bucket: one object for each content, named by its hash. Uploads under way are files in `dir`. */
export function s3Store({ url, accessKeyId, secretAccessKey, region }: S3Bucket, dir: string): FileStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: RETRIES });

  /** @returns the answer; undefined where there is no such object */
  async function send(sha256: string, method: string, headers = {}, body?: Blob): Promise<Response | undefined> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("no answer in time")), ANSWER_MS);
    try {
      const init = { method, headers, signal: late.signal, ...(body ? { body } : {}) };
      const response = await client.fetch(`${url}/${digitsOf(sha256)}`, init);
      if (response.ok) return response;
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      throw new Error(`answered ${response.status}`);
    } catch (error) {
      // The host alone: the rest of the configured URL holds secrets.
      throw new Error(`The store of files at ${new URL(url).host} did not ${method} an object.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    // The bucket is what lasts.
    newDraft: async () => ({ ...(await newDraft(dir)), sync: async () => undefined }),

    async place(draft, sha256) {
      // The store compares what it receives with this hash.
      await send(sha256, "PUT", { "X-Amz-Content-Sha256": digitsOf(sha256) }, await openAsBlob(draft.path));
    },

    async read(sha256, range) {
      const response = await send(sha256, "GET", range ? { Range: `bytes=${range.start}-${range.end}` } : {});
      if (!response?.body) throw new ContentMissing(sha256);
      return Readable.fromWeb(response.body as ReadableStream);
    },

    async sizeOf(sha256) {
      const response = await send(sha256, "HEAD");
      return response && Number(response.headers.get("content-length"));
    },

    async remove(sha256) {
      await send(sha256, "DELETE");
    },

    sweepDrafts: (before) => sweepDrafts(dir, before),
  };
}
