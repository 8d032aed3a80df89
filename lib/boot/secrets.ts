import { createECDH } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createDurable } from "#lib/kernel/files/durable-file.ts";
import { openSecretFile } from "#lib/kernel/files/secret-file.ts";

type Config = { authSecret?: string | undefined; authSecretsPrevious?: string[]; dataDir: string };

/** As environment variables, for this process and its child processes. */
type Secrets = { AUTH_SECRET: string; AUTH_SECRET_PREVIOUS: string };

/**
 * The secret from which all keys are derived, and those that it has replaced: from the environment when `AUTH_SECRET` is set
 * there, otherwise from `DATA_DIR/secrets`, which the first start creates. Keep it as long as the database: without it, no stored
 * credential is recognised. Previous secrets in the environment are accepted in addition to those in the file.
 * @throws Error if the file exists but cannot be used; it is never overwritten
 */
export function ensureSecrets({ authSecret, authSecretsPrevious = [], dataDir }: Config): Secrets {
  if (authSecret) return variables(authSecret, authSecretsPrevious);
  mkdirSync(dataDir, { recursive: true });
  const kept = openSecretFile(join(dataDir, "secrets"));
  return variables(kept.authSecret, [...new Set([...authSecretsPrevious, ...kept.previous])]);
}

function variables(authSecret: string, previous: string[]): Secrets {
  return { AUTH_SECRET: authSecret, AUTH_SECRET_PREVIOUS: previous.join(" ") };
}

type PushConfig = { vapidPrivateKey?: string | undefined; databaseUrl?: string | undefined; dataDir: string };

/**
 * The private key for Web Push, as an environment variable: the configured one, or the one in `DATA_DIR`, which the first start
 * creates. With `DATABASE_URL` other processes may have other folders, so only a configured key is used: browsers subscribe with one key.
 */
export function ensurePushKey({ vapidPrivateKey, databaseUrl, dataDir }: PushConfig): { VAPID_PRIVATE_KEY?: string } {
  if (vapidPrivateKey) return { VAPID_PRIVATE_KEY: vapidPrivateKey };
  if (databaseUrl) return {};
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const made = pair.getPrivateKey("hex").padStart(64, "0");
  return {
    VAPID_PRIVATE_KEY: createDurable(
      join(dataDir, "vapid.key"),
      `${Buffer.from(made, "hex").toString("base64url")}\n`,
    ).trim(),
  };
}
