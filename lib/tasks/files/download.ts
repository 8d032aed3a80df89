import type { z } from "zod";
import type { AdministratorActor, ServiceActor } from "#lib/kernel/actor.ts";
import type { Context, Download } from "#lib/kernel/context.ts";
import { Bytes, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { findTask, type TaskRow } from "../row.ts";
import { isParty } from "../visibility.ts";
import { takePlace } from "./pace.ts";
import { type FileRow, findFile } from "./rows.ts";
import type { DownloadInput } from "./schema.ts";
import { fileStore } from "./store/file-store.ts";
import type { ByteRange } from "./store/store.ts";
import { reprDigest } from "./upload.ts";

type DownloadContext = Context<ServiceActor | AdministratorActor>;

/** The parties of the task, and an administrator while it is disputed. Pure. */
export function mayRead(task: TaskRow, actor: ServiceActor | AdministratorActor): boolean {
  return actor.kind === "administrator" ? task.disputeId !== null : isParty(task, actor.id);
}

/** The file, if this caller may know of it. @throws ApiError not_found */
export async function visibleFile({ actor, clock }: DownloadContext, fileId: string): Promise<FileRow> {
  const [file] = await findFile(fileId);
  const task = file && (await findTask(file.taskId, clock.now()));
  if (!task || !mayRead(task, actor)) throw notFound();
  return file;
}

/**
 * The bytes of a file, all of them or a range. The client reads them at its own pace.
 * @throws ApiError not_found, file_removed
 */
export async function downloadFile(ctx: DownloadContext, { file_id: id }: z.output<typeof DownloadInput>) {
  const { download } = ctx;
  if (!download) throw new Error("a download without its headers");
  const file = await visibleFile(ctx, id);
  if (file.state === "removed")
    throw new ApiError("file_removed", "The bytes of this file have been removed. Its name, size and hash stay.");
  const { sha256, size } = file;
  const etag = `"${sha256}"`;
  const headers = { ETag: etag, "Repr-Digest": reprDigest(sha256) };
  if (isKnown(download, sha256))
    return new Reply(304, new Bytes(null), { ...headers, "Cache-Control": "private, no-cache" });
  const whole = {
    ...headers,
    "Cache-Control": "no-store",
    "Content-Type": harmlessType(file.mediaType),
    "Content-Disposition": attachment(file.name),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
  };
  const range = download.ifRange === null || download.ifRange === etag ? rangeOf(download.range, size) : undefined;
  if (range === "unsatisfiable")
    return new Reply(416, new Bytes(null), { "Content-Range": `bytes */${size}`, "Cache-Control": "no-store" });
  const length = range ? range.end - range.start + 1 : size;
  const body = download.isHead || length === 0 ? null : await open(ctx.actor.id, sha256, range);
  return new Reply(range ? 206 : 200, new Bytes(body), {
    ...whole,
    "Content-Length": String(length),
    ...(range ? { "Content-Range": `bytes ${range.start}-${range.end}/${size}` } : {}),
  });
}

async function open(callerId: string, sha256: string, range: ByteRange | undefined) {
  const giveBack = takePlace(callerId);
  try {
    const body = await fileStore().read(sha256, range);
    return body.once("close", giveBack);
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** The client has these bytes already: it names their digest in one of its forms. */
function isKnown({ ifNoneMatch }: Download, sha256: string): boolean {
  if (ifNoneMatch === null) return false;
  const forms = [sha256, sha256.slice("sha256:".length), reprDigest(sha256)];
  const tags = ifNoneMatch.split(",").map((tag) =>
    tag
      .trim()
      .replace(/^W\//, "")
      .replace(/^"(.*)"$/, "$1"),
  );
  return tags.some((tag) => tag === "*" || forms.includes(tag));
}

/**
 * One range of bytes (RFC 9110, 14.1.2).
 * @returns undefined for the whole file: nothing was asked for, or what this service does not answer in parts
 */
function rangeOf(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "")
    return Number(last) > 0 && size > 0 ? { start: Math.max(0, size - Number(last)), end: size - 1 } : "unsatisfiable";
  if (last !== "" && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return "unsatisfiable";
  return { start: Number(first), end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Types that browsers would run. The declared one is still in the file's entry. */
const ACTIVE = /html|xml|svg|script|pdf|flash|java|wasm|multipart|x-mixed-replace/;

function harmlessType(declared: string): string {
  return ACTIVE.test(declared) ? "application/octet-stream" : declared;
}

/** A name for every client: as RFC 8187 encodes it, and in ASCII for those that don't know that. */
function attachment(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
