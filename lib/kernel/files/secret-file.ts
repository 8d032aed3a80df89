import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { MOST_PREVIOUS_SECRETS } from "../env.ts";
import { stateConflict } from "../errors.ts";
import { createDurable, writeDurable } from "./durable-file.ts";
import { withFileLock } from "./file-lock.ts";

/** What the file contains: `AUTH_SECRET` and the secrets that it has replaced, newest first. */
type KeptSecrets = { authSecret: string; previous: string[] };

let used: string | undefined;

/**
 * The secrets in the file, which the first start creates. This process uses them from now on.
 * @throws Error if the file exists but cannot be used; it is never overwritten
 */
export function openSecretFile(file: string): KeptSecrets {
  const secrets = read(file) ?? create(file);
  used = file;
  return secrets;
}

export function newAuthSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Replaces the secret in the file that this process uses; the old one stays in it as the newest previous one. The next start
 * reads them. The replacement is atomic: a crash leaves the old file or the new one.
 * @throws ApiError state_conflict when the secret comes from the environment, or too many previous ones are kept
 */
export async function replaceSecret(authSecret: string): Promise<{ file: string; previous: string[] }> {
  const file = used;
  if (file === undefined) {
    throw stateConflict(
      "AUTH_SECRET comes from the environment. Set a new one there, put the old one into AUTH_SECRET_PREVIOUS, and restart (docs/keys.md).",
    );
  }
  const rotate = async () => {
    const secrets = read(file);
    if (!secrets) throw stateConflict(`${file} is missing: restore it from your backup before you rotate.`);
    const previous = [secrets.authSecret, ...secrets.previous];
    if (previous.length > MOST_PREVIOUS_SECRETS) {
      throw stateConflict(
        `${file} already keeps ${MOST_PREVIOUS_SECRETS} previous secrets. Run "keys" to see which are no longer needed, and delete those from AUTH_SECRET_PREVIOUS.`,
      );
    }
    writeDurable(file, textOf({ authSecret, previous }));
    return { file, previous };
  };
  return withFileLock(`${file}.lock`, rotate, { timeoutSeconds: 5 });
}

/** Undefined when there is no such file. */
function read(file: string): KeptSecrets | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read by this user: start as the user who made it, or set AUTH_SECRET.`);
  }
  const authSecret = /^AUTH_SECRET=(\S{32,})$/m.exec(text)?.[1];
  if (!authSecret)
    throw new Error(`${file} holds no AUTH_SECRET of at least 32 characters: restore the file, or set AUTH_SECRET.`);
  const previous = /^AUTH_SECRET_PREVIOUS=(.*)$/m.exec(text)?.[1]?.split(/\s+/).filter(Boolean) ?? [];
  if (previous.some((secret) => secret.length < 32))
    throw new Error(
      `${file} holds an AUTH_SECRET_PREVIOUS with fewer than 32 characters: restore the file, or delete that secret from the line.`,
    );
  return { authSecret, previous };
}

/** If several processes start at once, all use the file that was created first. */
function create(file: string): KeptSecrets {
  const made = { authSecret: newAuthSecret(), previous: [] };
  createDurable(file, textOf(made));
  return read(file) ?? made;
}

function textOf({ authSecret, previous }: KeptSecrets): string {
  const lines = [
    `AUTH_SECRET=${authSecret}`,
    ...(previous.length ? [`AUTH_SECRET_PREVIOUS=${previous.join(" ")}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}
