import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The secret that signs sessions and keys digests: `AUTH_SECRET`, else the one kept in `DATA_DIR/secrets`, which the
 * first start makes. It must outlive the database: without it no stored credential is recognised any more.
 * @throws Error when the file is there and cannot be used; it is never overwritten
 */
export function ensureSecrets(env: { authSecret?: string; dataDir: string }): string {
  if (env.authSecret) return env.authSecret;
  const file = join(env.dataDir, "secrets");
  mkdirSync(env.dataDir, { recursive: true });
  const secret = readSecret(file) ?? createSecret(file);
  if (!secret)
    throw new Error(
      `${file} holds no AUTH_SECRET of at least 32 characters: put the old one back, or set AUTH_SECRET.`,
    );
  return secret;
}

/** Undefined: there is no such file; empty: it holds no secret. */
function readSecret(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return /^AUTH_SECRET=(\S{32,})$/m.exec(text)?.[1] ?? "";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read by this user: start as the user who made it, or set AUTH_SECRET.`);
  }
}

/** Of several processes that start at once, all get the secret of the one whose file came first. */
function createSecret(file: string): string | undefined {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `AUTH_SECRET=${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, file);
    chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readSecret(file);
}
