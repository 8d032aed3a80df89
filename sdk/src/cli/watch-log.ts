import { setTimeout as delay } from "node:timers/promises";
import { fromBase64, toBase64, toHex, utf8 } from "../bytes.ts";
import { sha256 } from "../sha256.ts";
import { fetchCheckpoint, fetchConsistency, fetchText, LogUnavailable, logPrefix } from "../tlog/fetch-log.ts";
import { formatVkey, type Vkey } from "../tlog/note.ts";
import { readLogKey } from "../verify/report.ts";
import { ownFile, readOwn, writeOwn } from "./own-file.ts";

/** The exit code for a log that shows two histories. */
const FORK_CODE = 3;
const KEY_CODE = 1;
const INTERVAL_MS = 10_000;

type Options = {
  /** Address of the installation, or of its log. */
  url: string;
  /** Verifier key; without it, the first one that is seen counts from then on. */
  key?: string | undefined;
  /** Prints each finding as a line of JSON. */
  json: boolean;
  env: Record<string, string | undefined>;
  /** Ends the watch. */
  signal: AbortSignal;
  intervalMs?: number;
  line(text: string): void;
};

/** What was seen last. `note` is the signed checkpoint: with another one that contradicts it, it proves a fork. */
type Seen = { vkey: string; size: number; root: string; note: string };

/**
 * `guildhall log watch URL`: reads the log's checkpoint every ten seconds and checks that each one extends the one before.
 * What was seen is kept under XDG_STATE_HOME, so that the next watch continues from it.
 * @returns 0 when it is stopped, 3 on a fork, 1 if the key is not usable, or not the one seen before
 */
export async function watchLog({
  url,
  key,
  json,
  env,
  signal,
  intervalMs = INTERVAL_MS,
  line,
}: Options): Promise<number> {
  const say = (event: string, facts: Record<string, unknown>, words: string) =>
    line(json ? JSON.stringify({ event, at: new Date().toISOString(), ...facts }) : words);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    say("unusable", { url }, `Not an address of a log: ${url}`);
    return KEY_CODE;
  }
  const prefix = logPrefix(url);
  const file = ownFile(env, "STATE", `log-${toHex(sha256(utf8(prefix))).slice(0, 16)}.json`);
  const last = readOwn(file);
  let seen = last === undefined ? undefined : (JSON.parse(last) as Seen);
  let pinned: Vkey | undefined;
  for (; !signal.aborted; await delay(intervalMs, undefined, { signal }).catch(() => undefined)) {
    try {
      pinned ??= readLogKey(key ?? seen?.vkey ?? (await fetchText(`${prefix}/key`)));
      if (!pinned || (seen && seen.vkey !== formatVkey(pinned))) {
        const words = pinned
          ? `This log was seen with another key before: ${seen?.vkey}`
          : "This is not a log's verifier key.";
        say("unusable", { seen: seen?.vkey ?? null }, words);
        return KEY_CODE;
      }
      const next = await fetchCheckpoint(prefix, pinned);
      const { size, root, text } = next;
      if (seen && !(await isConsistent(prefix, seen, next))) {
        say(
          "fork",
          { seen: seen.note, served: text },
          `Fork: ${pinned.name} has signed two histories. Keep both checkpoints, they prove it:\n\n${seen.note}\n${text}`,
        );
        return FORK_CODE;
      }
      if (seen && size < seen.size) {
        say(
          "older",
          { size, seen: seen.size },
          `${size} entries: an older checkpoint than the last one (${seen.size}).`,
        );
        continue;
      }
      if (!seen) say("pinned", { vkey: formatVkey(pinned) }, `Watching ${prefix} with the key ${formatVkey(pinned)}`);
      if (size !== seen?.size || !seen)
        say("checkpoint", { size, root: toBase64(root) }, `${size} entries, consistent.`);
      seen = { vkey: formatVkey(pinned), size, root: toBase64(root), note: text };
      writeOwn(file, seen);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      say("unavailable", { reason: error.message }, `Not checked: ${error.message}`);
    }
  }
  return 0;
}

type Head = { size: number; root: Uint8Array };

/** A log must keep every tile that it signed, so one that lacks them has gone back to an earlier state. */
async function isConsistent(prefix: string, seen: Seen, next: Head): Promise<boolean> {
  const last = { size: seen.size, root: fromBase64(seen.root) ?? new Uint8Array() };
  const [older, newer] = last.size <= next.size ? [last, next] : [next, last];
  try {
    return await fetchConsistency(prefix, older, newer);
  } catch (error) {
    if (error instanceof LogUnavailable && error.isMissing) return false;
    throw error;
  }
}
