import { env, type Watched } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { utf8 } from "#sdk/bytes.ts";
import { cosignedAt, parseCheckpoint, parseCount } from "#sdk/tlog/checkpoint.ts";
import { consistencyRanges } from "#sdk/tlog/merkle.ts";
import { parseVkey, SIGNATURE_TYPES, signatureLine, signaturesOf } from "#sdk/tlog/note.ts";
import { formatAddCheckpoint } from "#sdk/tlog/witness.ts";
import { query } from "./connection.ts";
import { recordAhead, type Signed } from "./sign.ts";
import { readTiles } from "./tree.ts";

/** All witnesses together have this long. */
const PATIENCE_MS = 3_000;
/** The most of an answer that is read. */
const MAX_ANSWER_BYTES = 16_384;

/** What each witness cosigned last, by verifier key. It is only a guess: the witness says so if it is wrong. */
const sizes = new Map<string, number>();

/**
 * Asks every witness of `LOG_WITNESSES` to cosign, all at once.
 * @param take gets each signature line that is right as it comes, so that a dead witness does not delay those of the others
 * @returns all of them that came in time
 */
export async function askWitnesses(signed: Signed, take?: (line: string) => Promise<void>): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const lines = await Promise.all(
    env().logWitnesses.map((witness) =>
      ask(witness, signed, signal, take).catch((error: Error) => {
        log().warn({ witness: witness.name, err: error.message }, "a witness did not cosign");
        return "";
      }),
    ),
  );
  return lines.join("");
}

async function ask(
  witness: Watched,
  signed: Signed,
  signal: AbortSignal,
  take?: (line: string) => Promise<void>,
): Promise<string> {
  const known = Math.min(sizes.get(witness.vkey) ?? 0, signed.size);
  let answer = await send(witness, signed, known, signal);
  if (answer.status === 409) {
    const size = parseCount(answer.text.replace(/\n$/, ""));
    if (size === undefined) throw new Error("it answered 409 without a size");
    if (size > signed.size) {
      await recordAhead(signed.tree, { witness: witness.vkey, size });
      throw new Error(`it has cosigned ${size} entries, more than were signed here`);
    }
    sizes.set(witness.vkey, size);
    answer = await send(witness, signed, size, signal);
  }
  if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
  const line = await rightLine(witness, signed.note, answer.text);
  if (!line) throw new Error("its cosignature is wrong");
  sizes.set(witness.vkey, signed.size);
  await take?.(line);
  return line;
}

async function send({ name }: Watched, { tree, size, note }: Signed, from: number, signal: AbortSignal) {
  const ranges = consistencyRanges(from, size);
  const proof = ranges.length > 0 ? (await readTiles(query, tree.id, ranges)).hashesOf(ranges) : [];
  const response = await fetch(`${name.replace(/\/$/, "")}/add-checkpoint`, {
    method: "POST",
    body: utf8(formatAddCheckpoint({ oldSize: from, proof, checkpointText: note })),
    redirect: "error",
    signal,
  });
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.length > MAX_ANSWER_BYTES) throw new Error("its answer is too long");
  }
  return { status: response.status, text };
}

/** The one line by this witness's key, if it is right; undefined otherwise. */
async function rightLine({ vkey }: Watched, note: string, lines: string): Promise<string | undefined> {
  const key = parseVkey(vkey);
  const cosigned = parseCheckpoint(note + lines);
  if (key?.type !== SIGNATURE_TYPES.cosignature || !cosigned) return undefined;
  const [signature] = signaturesOf(cosigned.note, key);
  if (!signature || (await cosignedAt(cosigned.note, key)) === undefined) return undefined;
  return signatureLine(key, signature.bytes);
}
