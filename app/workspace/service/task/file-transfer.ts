import type { FileWire } from "#lib/tasks/files/schema.ts";
import { type Outcome, refuse } from "../../../browser/call.ts";
import { credentials, disconnect } from "../connection/connection.ts";

const DISCONNECTED = "This tab is disconnected, so nothing was sent. Connect again.";
const NO_ANSWER = "The service did not answer. Check your connection, then try again.";

/**
 * Uploads a file as the connected identity.
 * @param progress is called with the share that has been sent, from 0 to 1
 */
export function uploadFile(
  { taskId, purpose, file }: { taskId: string; purpose: FileWire["purpose"]; file: File },
  progress: (share: number) => void,
): Promise<Outcome<{ file: FileWire }>> {
  const held = credentials();
  if (!held) return Promise.resolve(refuse(DISCONNECTED, {}));
  const query = new URLSearchParams({ public_id: held.publicId, task_id: taskId, purpose });
  return new Promise((done) => {
    // fetch does not say how much has been sent.
    const request = new XMLHttpRequest();
    request.open("PUT", `/api/v1/jobs/files/${encodeURIComponent(file.name)}?${query}`);
    request.setRequestHeader("Authorization", held.authorization);
    request.setRequestHeader(
      "Content-Type",
      /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : "application/octet-stream",
    );
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => done(outcomeOf(request.responseText));
    request.onerror = () => done(refuse(NO_ANSWER, {}));
    request.onabort = () => done(refuse(DISCONNECTED, {}));
    held.signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function outcomeOf(text: string): Outcome<{ file: FileWire }> {
  try {
    const answer = JSON.parse(text) as { file?: FileWire } & Refused;
    return answer.file ? { ok: true, body: { file: answer.file } } : refusalIn(answer);
  } catch {
    return refuse(NO_ANSWER, {});
  }
}

type Refused = { error?: { code?: string; message?: string } };

function refusalIn({ error }: Refused) {
  if (error?.code === "invalid_credential") disconnect("refused");
  return refuse(error?.message ?? NO_ANSWER, {});
}

/** The bytes of a file. */
export async function fetchFile(fileId: string): Promise<Outcome<Blob>> {
  const held = credentials();
  if (!held) return refuse(DISCONNECTED, {});
  const response = await fetch(`/api/v1/jobs/files/${fileId}?public_id=${held.publicId}`, {
    headers: { Authorization: held.authorization },
    signal: held.signal,
    credentials: "omit",
  }).catch(() => undefined);
  if (!response) return refuse(NO_ANSWER, {});
  if (!response.ok) return refusalIn((await response.json().catch(() => ({}))) as Refused);
  return response.blob().then(
    (body) => ({ ok: true, body }),
    () => refuse(NO_ANSWER, {}),
  );
}

/** What the first bytes of a picture are. Only these kinds are shown: they hold no program. */
const PICTURES: readonly [type: string, isOne: (bytes: Uint8Array) => boolean][] = [
  ["image/png", (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["image/jpeg", (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  [
    "image/webp",
    (bytes) => startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]),
  ],
];

const startsWith = (bytes: Uint8Array, start: number[]) => start.every((byte, at) => bytes[at] === byte);

/** Whether the uploader says that it is such a picture, so that it is worth trying. */
export const mayBePicture = ({ media_type: type }: FileWire) => PICTURES.some(([known]) => known === type);

/** The file as a picture, by its bytes alone; undefined if this browser cannot decode it as one. */
export async function pictureOf(bytes: Blob): Promise<Blob | undefined> {
  const start = new Uint8Array(await bytes.slice(0, 12).arrayBuffer());
  const [type] = PICTURES.find(([, isOne]) => isOne(start)) ?? [];
  if (!type) return undefined;
  const picture = new Blob([bytes], { type });
  return createImageBitmap(picture).then(
    (bitmap) => {
      bitmap.close();
      return picture;
    },
    () => undefined,
  );
}
