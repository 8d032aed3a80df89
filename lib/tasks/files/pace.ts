import { ApiError } from "#lib/kernel/errors.ts";
import { MAX_FILE_BYTES } from "#lib/kernel/file-fields.ts";
import { pacedWork } from "#lib/kernel/paced-work.ts";

// How long uploads may take, and how many files one process moves at once.

const GRACE_SECONDS = 30;
/** A slower upload is cut off. */
const SLOWEST_BYTES_PER_SECOND = 64 * 1024;
/** The longest of all. */
export const MAX_UPLOAD_SECONDS = secondsFor(MAX_FILE_BYTES);

/** How long an upload of this size may take. */
export function secondsFor(size: number): number {
  return GRACE_SECONDS + Math.ceil(size / SLOWEST_BYTES_PER_SECOND);
}

/** Each holds a descriptor and up to five pieces of 64 KiB. */
const AT_ONCE = 200;
const AT_ONCE_OF_ONE = 40;

/** Pieces of uploads that are hashed in one turn of the event loop, however many uploads there are, so that other requests get answers in between. */
export const takeTurn = pacedWork(8);

const moving = new Map<string, number>();
let inAll = 0;

/**
 * Takes a place for an upload or a download.
 * @returns gives it back; it may be called twice
 * @throws ApiError temporarily_unavailable
 */
export function takePlace(callerId: string): () => void {
  const own = moving.get(callerId) ?? 0;
  if (own >= AT_ONCE_OF_ONE || inAll >= AT_ONCE) {
    const who = own >= AT_ONCE_OF_ONE ? "You move" : "This service moves";
    throw new ApiError(
      "temporarily_unavailable",
      `${who} as many files at once as it can. Try again when one of them is finished.`,
      { retryAfterSeconds: 5 },
    );
  }
  moving.set(callerId, own + 1);
  inAll += 1;
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    inAll -= 1;
    const left = (moving.get(callerId) ?? 1) - 1;
    if (left > 0) moving.set(callerId, left);
    else moving.delete(callerId);
  };
}
