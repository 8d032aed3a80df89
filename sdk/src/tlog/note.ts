import { concat, fromBase64, toBase64, toHex, utf8 } from "../bytes.ts";
import { verifyEd25519 } from "../ed25519.ts";
import { sha256 } from "../sha256.ts";

/*
 * Signed notes and verifier keys as in c2sp.org/signed-note, with Ed25519 signatures alone.
 */

/** What a key signs: the note itself, or (a witness) that it saw the checkpoint at a time. */
export const SIGNATURE_TYPES = { note: 1, cosignature: 4 } as const;

/** `id`: 8 hexadecimal digits. `type`: see `SIGNATURE_TYPES`. */
export type Vkey = { name: string; id: string; type: number; publicKey: Uint8Array<ArrayBuffer> };
/** `bytes` is what follows the key's ID. */
export type NoteSignature = { name: string; id: string; bytes: Uint8Array<ArrayBuffer> };
/** `text` ends with a line feed. */
export type Note = { text: string; signatures: NoteSignature[] };
/** A key that signs. */
export type Signer = Vkey & { sign(message: Uint8Array): Uint8Array };

/** More than a verifier must accept (16); a longer note is refused before anything is computed. */
const MOST_SIGNATURES = 64;
const NAME = /^[^+\p{White_Space}\p{Cc}]+$/u;

export function keyId(name: string, type: number, publicKey: Uint8Array): string {
  return toHex(sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4));
}

export function isKeyName(name: string): boolean {
  return NAME.test(name);
}

/** The line `name+id+base64` that readers of notes are given. */
export function formatVkey({ name, id, type, publicKey }: Vkey): string {
  return `${name}+${id}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;
}

/** Undefined unless the text is a verifier key for Ed25519 whose ID is computed as recommended. */
export function parseVkey(text: string): Vkey | undefined {
  const [, name = "", id = "", encoded = ""] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || bytes?.length !== 33) return undefined;
  const [type = 0] = bytes;
  const publicKey = bytes.slice(1);
  if (!Object.values<number>(SIGNATURE_TYPES).includes(type) || keyId(name, type, publicKey) !== id) return undefined;
  return { name, id, type, publicKey };
}

/** Undefined unless this is a signed note, to the letter. */
export function parseNote(note: string): Note | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids exactly these
  if (/[\u0000-\u0009\u000b-\u001f]|\p{Surrogate}/u.test(note)) return undefined;
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) return undefined;
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > MOST_SIGNATURES) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = parseSignature(line);
    if (!signature) return undefined;
    signatures.push(signature);
  }
  return { text: note.slice(0, end + 1), signatures };
}

function parseSignature(line: string): NoteSignature | undefined {
  const [, name = "", encoded = ""] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || !bytes || bytes.length < 5) return undefined;
  return { name, id: toHex(bytes.subarray(0, 4)), bytes: bytes.slice(4) };
}

/** The line of a signature, with its line feed. */
export function signatureLine(key: { name: string; id: string }, signature: Uint8Array): string {
  const id = Uint8Array.from([0, 2, 4, 6], (at) => Number.parseInt(key.id.slice(at, at + 2), 16));
  return `— ${key.name} ${toBase64(concat(id, signature))}\n`;
}

/** The text, which ends with a line feed, with the key's signature below it. */
export function signNote(text: string, signer: Signer): string {
  return `${text}\n${signatureLine(signer, signer.sign(utf8(text)))}`;
}

/** Signatures by this key; those of other keys must be ignored, even under the same name. */
export function signaturesOf({ signatures }: Note, { name, id }: Vkey): NoteSignature[] {
  return signatures.filter((signature) => signature.name === name && signature.id === id);
}

/** Whether the key has signed the note. A wrong signature beside a right one counts as wrong. */
export async function isSignedBy(note: Note, key: Vkey): Promise<boolean> {
  const found = signaturesOf(note, key);
  if (key.type !== SIGNATURE_TYPES.note || found.length === 0) return false;
  const right = await Promise.all(found.map(({ bytes }) => verifyEd25519(key.publicKey, bytes, utf8(note.text))));
  return right.every(Boolean);
}
