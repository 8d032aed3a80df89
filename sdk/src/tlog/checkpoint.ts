import { concat, fromBase64, toBase64, utf8 } from "../bytes.ts";
import { verifyEd25519 } from "../ed25519.ts";
import { EMPTY_ROOT, type Hash } from "./merkle.ts";
import { isSignedBy, type Note, parseNote, SIGNATURE_TYPES, type Signer, signaturesOf, type Vkey } from "./note.ts";

/*
 * Checkpoints (c2sp.org/tlog-checkpoint) and the cosignatures of witnesses (c2sp.org/tlog-cosignature).
 */

export type TreeHead = { origin: string; size: number; root: Hash };
export type Checkpoint = TreeHead & { note: Note };

export function checkpointText({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** A decimal integer without leading zeroes that JavaScript represents exactly. */
export function parseCount(text: string): number | undefined {
  const count = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(count) ? count : undefined;
}

/** Undefined unless this is a signed note whose text is a checkpoint. Its signatures have not been checked. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const note = parseNote(text);
  const [origin = "", sizeLine = "", rootLine = "", ...extensions] = note?.text.slice(0, -1).split("\n") ?? [];
  const size = parseCount(sizeLine);
  const root = fromBase64(rootLine);
  if (!note || origin === "" || size === undefined || root?.length !== 32) return undefined;
  if (extensions.includes("")) return undefined;
  return { origin, size, root, note };
}

/** Undefined unless the text is a checkpoint that this log's key has signed. The key's name is the log's origin. */
export async function openCheckpoint(text: string, key: Vkey): Promise<Checkpoint | undefined> {
  const checkpoint = parseCheckpoint(text);
  if (!checkpoint || checkpoint.origin !== key.name) return undefined;
  if (checkpoint.size === 0 && toBase64(checkpoint.root) !== toBase64(EMPTY_ROOT)) return undefined;
  return (await isSignedBy(checkpoint.note, key)) ? checkpoint : undefined;
}

/** What a witness signs: a header, the time in seconds, and the checkpoint's text. */
function cosignedText(text: string, seconds: number): Uint8Array<ArrayBuffer> {
  return utf8(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** The time in seconds since 1970 and the signature, 72 bytes. */
export function cosign(text: string, seconds: number, witness: Signer): Uint8Array<ArrayBuffer> {
  const time = new DataView(new ArrayBuffer(8));
  time.setBigUint64(0, BigInt(seconds));
  return concat(new Uint8Array(time.buffer), witness.sign(cosignedText(text, seconds)));
}

/** When the witness cosigned the note, in seconds since 1970; undefined if it did not, or a cosignature of its is wrong. */
export async function cosignedAt(note: Note, witness: Vkey): Promise<number | undefined> {
  if (witness.type !== SIGNATURE_TYPES.cosignature) return undefined;
  let newest: number | undefined;
  for (const { bytes } of signaturesOf(note, witness)) {
    if (bytes.length !== 72) return undefined;
    const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
    if (!Number.isSafeInteger(seconds) || seconds === 0) return undefined;
    const right = await verifyEd25519(witness.publicKey, bytes.slice(8), cosignedText(note.text, seconds));
    if (!right) return undefined;
    newest = Math.max(newest ?? 0, seconds);
  }
  return newest;
}
