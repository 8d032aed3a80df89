import { createHash } from "node:crypto";
import { join } from "node:path";
import { env } from "#lib/kernel/env.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { createDurable, readDurable, writeDurable } from "#lib/kernel/files/durable-file.ts";
import { withFileLock } from "#lib/kernel/files/file-lock.ts";
import { equal, fromBase64, toBase64 } from "#sdk/bytes.ts";
import { cosign, parseCount } from "#sdk/tlog/checkpoint.ts";
import { EMPTY_ROOT, type Hash, verifyConsistency } from "#sdk/tlog/merkle.ts";
import { formatVkey, isSignedBy, parseVkey, SIGNATURE_TYPES, type Signer, signatureLine } from "#sdk/tlog/note.ts";
import { parseAddCheckpoint } from "#sdk/tlog/witness.ts";
import { newPrivateKey, parsePrivateKey } from "../log/private-key.ts";
import { SigningRefused, stateFolder } from "../log/signing-setup.ts";

/*
 * This installation as a witness of the logs in WITNESS_LOGS (c2sp.org/tlog-witness). What it cosigned last is kept in files, and
 * written to disk before the cosignature is given out.
 */

type WitnessAnswer = { status: number; body: string; type?: string };

/** The witness's key, which the first use creates. Its name is that of BASE_URL at that time. */
function openKey(): Signer {
  const file = join(stateFolder(), "witness.key");
  const name = `${new URL(env().baseUrl).host}/witness`;
  const key = parsePrivateKey(
    readDurable(file) ?? createDurable(file, `${newPrivateKey(name, SIGNATURE_TYPES.cosignature)}\n`),
  );
  if (key?.type === SIGNATURE_TYPES.cosignature) return key;
  throw new SigningRefused("The witness's key file cannot be read as a private key. Restore it from a backup.");
}

/** The verifier key of this witness. @throws ApiError not_found where it is a witness of nothing */
export async function witnessKey(): Promise<string> {
  if (env().witnessLogs.length === 0) throw notFound();
  return readWitnessKey();
}

/** The verifier key that this installation has, or would have, as a witness. */
export function readWitnessKey(): string {
  return formatVkey(openKey());
}

type Cosigned = { size: number; root: Hash };

const fileOf = (origin: string) =>
  join(stateFolder(), `witness-${createHash("sha256").update(origin).digest("hex")}.state`);

/** Nothing was cosigned yet if there is no file. @throws Error if the file is damaged: then nothing more is cosigned */
function readCosigned(origin: string): Cosigned {
  const text = readDurable(fileOf(origin));
  if (text === undefined) return { size: 0, root: EMPTY_ROOT };
  const [name, count = "", encoded = ""] = text.split("\n");
  const size = parseCount(count);
  const root = fromBase64(encoded);
  if (name !== origin || size === undefined || root?.length !== 32)
    throw new Error(`The witness's record of ${origin} is damaged.`);
  return { size, root };
}

/**
 * Cosigns a checkpoint that extends what was cosigned before.
 * @param body as in c2sp.org/tlog-witness, `add-checkpoint`
 * @throws ApiError not_found where this installation is a witness of nothing
 */
export async function addCheckpoint(body: string, now: Date): Promise<WitnessAnswer> {
  const logs = env().witnessLogs;
  if (logs.length === 0) throw notFound();
  const request = parseAddCheckpoint(body);
  if (!request) return { status: 400, body: "The body is not in the form of c2sp.org/tlog-witness.\n" };
  const { checkpoint, oldSize, proof } = request;
  const { origin, size, root, note } = checkpoint;
  const keys = logs.filter(({ name }) => name === origin).flatMap(({ vkey }) => parseVkey(vkey) ?? []);
  if (keys.length === 0) return { status: 404, body: "This witness does not watch that log.\n" };
  const signed = keys.filter((key) => note.signatures.some(({ name, id }) => name === key.name && id === key.id));
  const right = await Promise.all(signed.map((key) => isSignedBy(note, key)));
  if (right.length === 0 || right.includes(false))
    return { status: 403, body: "The log's signature is missing or wrong.\n" };
  if (oldSize > size) return { status: 400, body: "The old size is larger than the checkpoint's.\n" };
  return withFileLock(
    `${fileOf(origin)}.lock`,
    async () => {
      const known = readCosigned(origin);
      if (oldSize !== known.size) return { status: 409, body: `${known.size}\n`, type: "text/x.tlog.size" };
      if (size === 0 && !equal(root, EMPTY_ROOT)) return { status: 422, body: "An empty tree has another root.\n" };
      if (!verifyConsistency(known, { size, root }, proof))
        return { status: 422, body: "The checkpoint does not extend what this witness has seen.\n" };
      const key = openKey();
      writeDurable(fileOf(origin), `${origin}\n${size}\n${toBase64(root)}\n`);
      return { status: 200, body: signatureLine(key, cosign(note.text, Math.floor(now.getTime() / 1000), key)) };
    },
    { timeoutSeconds: 5 },
  );
}
