import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import type { Connection } from "#lib/db/connection.ts";
import type { ServiceContext, Upload } from "#lib/kernel/context.ts";
import { Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { MAX_FILE_BYTES, MediaType } from "#lib/kernel/file-fields.ts";
import { newId } from "#lib/kernel/ids.ts";
import { gateTask } from "../actions.ts";
import { requireRole, requireState, requireVisible } from "../admit.ts";
import { stepTask } from "../change.ts";
import { taskEvent } from "../events.ts";
import { requireGates } from "../gates.ts";
import type { TaskState } from "../machine.ts";
import type { TaskRow } from "../row.ts";
import { announceContent, dropUnneeded } from "./contents.ts";
import { secondsFor, takePlace, takeTurn } from "./pace.ts";
import { noSpace, requireSpace } from "./quotas.ts";
import { type FileRow, fileView, keep, keptFiles, markRemoved, release, reserve } from "./rows.ts";
import type { UploadInput } from "./schema.ts";
import { fileStore } from "./store/file-store.ts";
import type { Draft } from "./store/store.ts";

// Takes a file. What must stay true: its bytes are never in memory as a whole; it exists for others only once all of them are in the store
// and have the announced hash; its size is reserved before the first byte is read; a crash at any point leaves no file, or the whole one.
// `files.itest.ts`, `hostile.itest.ts` and `kill.itest.ts` hold it.

type Input = z.output<typeof UploadInput>;

/** Whose files they are, and until when they can be uploaded. */
const RULES: Record<Input["purpose"], { by: "requester" | "provider"; from: readonly TaskState[] }> = {
  brief: { by: "requester", from: ["open", "claimed"] },
  result: { by: "provider", from: ["in_progress"] },
};

/**
 * Stores the body as a file of the task. Other bytes under the same name and purpose replace a file that no submission names.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused, quota_exceeded, body_too_large, invalid_input, temporarily_unavailable
 */
export async function uploadFile(ctx: ServiceContext, input: Input) {
  const { upload } = ctx;
  if (!upload) throw new Error("an upload without a body");
  const size = requireSize(upload);
  const mediaType = readMediaType(upload);
  const digest = readDigest(upload);
  const giveBack = takePlace(ctx.actor.id);
  const id = newId("fil");
  let draft: Draft | undefined;
  let sha256: string | undefined;
  try {
    await stepTask(ctx, input.task_id, async (tx, found) => {
      const task = requireUploadable(ctx, found, input);
      const file = { id, taskId: task.id, purpose: input.purpose, name: input.file_name, size };
      await reserve.on(tx, { ...file, uploaderId: ctx.actor.id, mediaType, at: ctx.clock.now() });
      await requireSpace(tx, ctx, file);
    });
    draft = await fileStore().newDraft();
    sha256 = await receive(upload, draft, size);
    if (digest && digest !== sha256)
      throw invalidInput("Repr-Digest", `must be the digest of the bytes, which is ${reprDigest(sha256)}`);
    await Promise.all([announce(id, sha256, size), draft.sync()]);
    await fileStore().place(draft, sha256);
    const { file, replaced } = await commit(ctx, input, { id, sha256 });
    // The answer does not depend on it, and the sweep repeats what fails.
    await dropUnneeded(replaced).catch(() => undefined);
    return new Reply(201, { file: fileView(file) });
  } catch (error) {
    await release(id);
    if (sha256) await dropUnneeded([sha256]).catch(() => undefined);
    throw error;
  } finally {
    await draft?.discard();
    giveBack();
  }
}

function requireUploadable(ctx: ServiceContext, found: TaskRow | undefined, { purpose }: Input): TaskRow {
  const task = requireVisible(ctx, found);
  requireRole(ctx, task, RULES[purpose].by);
  requireState(ctx, task, RULES[purpose].from);
  requireGates(ctx.actor, "upload", gateTask(task));
  return task;
}

function requireSize({ length }: Upload): number {
  if (length === null)
    throw invalidInput("Content-Length", "is a required header: send the file with its length, and not in chunks");
  if (length > MAX_FILE_BYTES)
    throw new ApiError("body_too_large", `A file may have at most ${MAX_FILE_BYTES / 1024 ** 2} MiB.`);
  return length;
}

function readMediaType({ mediaType }: Upload): string {
  const [type = ""] = (mediaType ?? "application/octet-stream").split(";", 1);
  const parsed = MediaType.safeParse(type.trim().toLowerCase());
  if (!parsed.success) throw invalidInput("Content-Type", "must be a media type such as text/csv");
  return parsed.data;
}

/** The SHA-256 of `Repr-Digest` (RFC 9530), which may list other algorithms as well. */
function readDigest({ digest }: Upload): string | undefined {
  if (digest === null) return undefined;
  const [, base64] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/.exec(digest) ?? [];
  if (!base64) throw invalidInput("Repr-Digest", "must have the form sha-256=:BASE64:");
  return `sha256:${Buffer.from(base64, "base64").toString("hex")}`;
}

/** The same as a header's value. */
export function reprDigest(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256.slice("sha256:".length), "hex").toString("base64")}:`;
}

/** Writes the body to the draft as it arrives: each piece is hashed while it is being written. @returns its hash */
async function receive(upload: Upload, draft: Draft, size: number): Promise<string> {
  const hash = createHash("sha256");
  let received = 0;
  upload.allowSeconds(secondsFor(size));
  try {
    for await (const chunk of upload.body ?? []) {
      received += chunk.byteLength;
      if (received > size) break;
      await new Promise<void>(takeTurn);
      const written = draft.write(chunk);
      hash.update(chunk);
      await written;
      free(chunk);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw noSpace();
    if ((error as NodeJS.ErrnoException).syscall === "write") throw error;
    received = -1;
  }
  if (received !== size) throw invalidInput("body", "must have exactly as many bytes as its Content-Length says");
  return `sha256:${hash.digest("hex")}`;
}

/** Gives a piece's memory back at once. V8 would collect the whole heap for every 64 MiB of pieces that it has to free. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

const ANNOUNCEMENTS = 20;
const PAUSE_MS = 100;

/** Waits while the same content is being deleted, which takes a moment. */
async function announce(id: string, sha256: string, size: number): Promise<void> {
  for (let attempt = 1; attempt <= ANNOUNCEMENTS; attempt += 1) {
    if (await announceContent(id, sha256, size)) return;
    await delay(PAUSE_MS);
  }
  throw new ApiError("temporarily_unavailable", "The file could not be stored just now. Send it again.", {
    retryAfterSeconds: 5,
  });
}

/** Makes the file exist, now that its bytes are in the store. */
function commit(
  ctx: ServiceContext,
  input: Input,
  { id, sha256 }: { id: string; sha256: string },
): Promise<{ file: FileRow; replaced: string[] }> {
  return stepTask(ctx, input.task_id, async (tx, found) => {
    const task = requireUploadable(ctx, found, input);
    const namesakes = (await keptFiles.on(tx, task.id, input.purpose)).filter(({ name }) => name === input.file_name);
    const same = namesakes.find((file) => file.sha256 === sha256);
    if (same) {
      await release.on(tx, id);
      return { file: same, replaced: [] };
    }
    // It may have passed as the file that is there already.
    if (namesakes.some(({ submittedAt }) => submittedAt))
      await requireSpace(tx, ctx, { taskId: task.id, purpose: input.purpose, name: input.file_name });
    const at = ctx.clock.now();
    const outdated = namesakes.filter(({ submittedAt }) => !submittedAt).map((file) => file.id);
    const replaced = outdated.length > 0 ? await markRemoved.on(tx, outdated, at) : [];
    const [file] = await keep.on(tx, id, at);
    if (!file) throw new ApiError("temporarily_unavailable", "The upload took too long. Send the file again.");
    await record(tx, ctx, task, file, outdated);
    return { file, replaced: replaced.map((each) => each.sha256) };
  });
}

async function record(tx: Connection, ctx: ServiceContext, task: TaskRow, file: FileRow, replaced: string[]) {
  const { id, purpose, size, sha256 } = file;
  const data = { file_id: id, purpose, size, sha256 };
  await audit(tx, ctx, {
    action: "add_file",
    subjectKind: "file",
    subjectId: id,
    data: { ...data, ...(replaced.length > 0 ? { replaced } : {}) },
    event: taskEvent("file.added", task, data, undefined),
  });
}
