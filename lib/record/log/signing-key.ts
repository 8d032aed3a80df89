import { join } from "node:path";
import { env } from "#lib/kernel/env.ts";
import { createDurable, readDurable } from "#lib/kernel/files/durable-file.ts";
import { SIGNATURE_TYPES, type Signer } from "#sdk/tlog/note.ts";
import { newPrivateKey, parsePrivateKey } from "./private-key.ts";
import { ownsDatabase, SigningRefused, stateFolder } from "./signing-setup.ts";

/** Logs have numbers; each has a key of its own. */
export type LogName = { id: number; origin: string };

const fileOf = ({ id }: LogName) => join(stateFolder(), `log-${id}.key`);

/**
 * The key that signs this log's checkpoints: `LOG_SIGNING_KEY`, or a file beside the state that the first start creates.
 * @param mayCreate false if the log was signed before: then a missing key is lost, and another one would be a fork
 * @throws SigningRefused
 */
export function openSigningKey(tree: LogName, mayCreate: boolean): Signer {
  const key = env().logSigningKey ? fromVariable() : fromFile(tree, mayCreate);
  if (key.name === tree.origin) return key;
  throw new SigningRefused(
    `The signing key is for ${key.name}, but this log is ${tree.origin}. Set LOG_SIGNING_KEY to a key of that name.`,
  );
}

function fromVariable(): Signer {
  const key = parsePrivateKey(env().logSigningKey ?? "");
  if (key?.type !== SIGNATURE_TYPES.note) throw new SigningRefused("LOG_SIGNING_KEY is not a private key of a log.");
  return key;
}

function fromFile(tree: LogName, mayCreate: boolean): Signer {
  if (!ownsDatabase())
    throw new SigningRefused(
      "LOG_SIGNING_KEY is not set. With DATABASE_URL it is required, so that all processes sign with one key.",
      true,
    );
  const file = fileOf(tree);
  let text = readDurable(file);
  if (text === undefined && !mayCreate)
    throw new SigningRefused(
      "The log's signing key is missing. Restore the data folder from a backup, or start another log with log-restart.",
    );
  text ??= createDurable(file, `${newPrivateKey(tree.origin, SIGNATURE_TYPES.note)}\n`);
  const key = parsePrivateKey(text);
  if (!key) throw new SigningRefused("The log's key file cannot be read as a private key. Restore it from a backup.");
  return key;
}
