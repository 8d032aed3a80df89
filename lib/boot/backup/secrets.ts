import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, SecretPrints } from "#lib/db/backup/manifest.ts";
import type { QueryFn } from "#lib/db/connection.ts";
import type { Env } from "#lib/kernel/env.ts";
import { readDurable } from "#lib/kernel/files/durable-file.ts";
import { versionOf } from "#lib/kernel/keys.ts";
import { parsePrivateKey } from "#lib/record/log/private-key.ts";
import { formatVkey } from "#sdk/tlog/note.ts";
import { ensureSecrets } from "../secrets.ts";

/** A secret that a backup needs is missing here, or is another one. */
class SecretsDoNotFit extends Error {
  readonly code = "secrets_do_not_fit";
}

type Secrets = { authSecret?: string | undefined; authSecretsPrevious?: string[]; dataDir: string };

/** Fingerprints of the secrets in use, and of the keys that signed the logs in this database. */
export function secretPrints(env: Secrets): (query: QueryFn) => Promise<SecretPrints> {
  const [current = "", ...previous] = versionsOf(env);
  return async (query) => {
    // A backup before an upgrade may be of a schema without logs.
    const tables = await query("SELECT 1 FROM pg_class WHERE oid = to_regclass('log_trees')");
    const logs = tables.length
      ? await query<{ id: number; origin: string; vkey: string }>(
          "SELECT id, origin, vkey FROM log_trees WHERE vkey IS NOT NULL ORDER BY id DESC",
        )
      : [];
    return { auth_secret: current, auth_secrets_previous: previous, logs };
  };
}

/**
 * Compares the secrets that are here with those that the backup was made beside. It creates none.
 * @returns what is missing but can be added later, as sentences
 * @throws SecretsDoNotFit naming what to put where
 */
export function requireFit(env: Env, { made_at, secrets }: Manifest): string[] {
  const file = join(env.dataDir, "secrets");
  const have = env.authSecret || existsSync(file) ? versionsOf(env) : [];
  const made = `The backup of ${made_at} was made under the AUTH_SECRET with the fingerprint ${secrets.auth_secret}`;
  if (have.length === 0)
    throw new SecretsDoNotFit(
      `${made}, and there is none here. Put that installation's file "secrets" into ${env.dataDir}, or set AUTH_SECRET. Nothing was changed.`,
    );
  if (!have.includes(secrets.auth_secret))
    throw new SecretsDoNotFit(
      `${made}, but the one here has ${have[0]}. With this one, no credential would work. Use that installation's AUTH_SECRET (it may also be in AUTH_SECRET_PREVIOUS). Nothing was changed.`,
    );
  const lost = secrets.auth_secrets_previous.filter((version) => !have.includes(version));
  return [
    ...lost.map(
      (version) =>
        `The previous secret ${version} is not in AUTH_SECRET_PREVIOUS: credentials that depend on it don't work until it is.`,
    ),
    ...missingLogKey(env, secrets),
  ];
}

/** Only the newest log is still signed. @throws SecretsDoNotFit if there is a key, but another one */
function missingLogKey(env: Env, { logs: [log] }: SecretPrints): string[] {
  if (!log) return [];
  const file = join(env.logStateDir ?? join(env.dataDir, "log"), `log-${log.id}.key`);
  const text = env.logSigningKey ?? readDurable(file);
  const where = env.logSigningKey ? "LOG_SIGNING_KEY" : file;
  if (text === undefined)
    return [
      `The key of the log ${log.vkey} is not here: put it into ${file} or LOG_SIGNING_KEY, or nothing will be signed.`,
    ];
  const key = parsePrivateKey(text);
  if (key && formatVkey(key) === log.vkey) return [];
  throw new SecretsDoNotFit(
    `The log in this backup is signed by ${log.vkey}, but ${where} holds ${key ? `the key ${formatVkey(key)}` : "no key"}. Put the right key there, or remove it to restore without a key. Nothing was changed.`,
  );
}

/** The version of the secret in use, then those of the previous ones. */
function versionsOf(env: Secrets): string[] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS } = ensureSecrets(env);
  return [AUTH_SECRET, ...AUTH_SECRET_PREVIOUS.split(" ").filter(Boolean)].map((secret) =>
    versionOf(secret).toString("hex"),
  );
}
