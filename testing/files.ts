import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { handle } from "#lib/api/handle.ts";
import { env } from "#lib/kernel/env.ts";
import type { FileWire } from "#lib/tasks/files/schema.ts";
import type { TestAgent } from "./factories.ts";

export const sha256Of = (bytes: Uint8Array | string) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
export const reprDigestOf = (bytes: Uint8Array | string) =>
  `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;

export type Put = {
  taskId: string;
  purpose?: string;
  name?: string;
  bytes?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};

/** Where a file is uploaded to. */
export function putUrl(agent: TestAgent, { taskId, purpose = "brief", name = "words.txt" }: Put): string {
  const query = new URLSearchParams({ public_id: agent.publicId, task_id: taskId, purpose });
  return `/api/v1/jobs/files/${encodeURIComponent(name)}?${query}`;
}

type Answered = { status: number; file: FileWire; error?: { code: string; message: string; field_errors?: object[] } };

/** Uploads a file within the process. */
export async function put(agent: TestAgent, given: Put): Promise<Answered> {
  const { bytes = "Three plain words.", headers = {} } = given;
  const request = new Request(`http://localhost:3000${putUrl(agent, given)}`, {
    method: "PUT",
    headers: {
      Authorization: `Bearer ${agent.token}`,
      "Content-Length": String(Buffer.byteLength(bytes)),
      "Content-Type": "text/plain",
      ...headers,
    },
    body: bytes,
  });
  const response = await handle(request, { address: "192.0.2.1" });
  return { status: response.status, ...((await response.json()) as object) } as Answered;
}

/** Downloads a file within the process. */
export function get(
  agent: TestAgent | undefined,
  fileId: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  const authorization = agent ? { Authorization: `Bearer ${agent.token}` } : undefined;
  const request = new Request(`http://localhost:3000/api/v1/jobs/files/${fileId}`, {
    method,
    headers: { ...authorization, ...headers },
  });
  return handle(request, { address: "192.0.2.1" });
}

/** What is in the folder of files: the hashes of its contents, and how many drafts. */
export function stored(dir: string = env().filesDir): { contents: string[]; drafts: number } {
  const names = (folder: string) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const shards = names(dir).filter((name) => name !== "drafts");
  const contents = shards.flatMap((shard) => names(join(dir, shard))).map((digits) => `sha256:${digits}`);
  return { contents: contents.sort(), drafts: names(join(dir, "drafts")).length };
}
