import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { withFileLock } from "#lib/kernel/files/file-lock.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SCHEMA_DIR = join(ROOT, "prisma/schema");
const OUTPUT_DIR = join(ROOT, "lib/db/generated");
const FINGERPRINT = join(OUTPUT_DIR, ".fingerprint");
const LOCK = join(ROOT, "node_modules/.cache/guildhall/generate");

/**
 * Writes the Prisma client to `lib/db/generated` if the schema or Prisma itself has changed since it was last written.
 * @throws Error with what Prisma said
 */
export async function generateClient(): Promise<"generated" | "current"> {
  if (isCurrent()) return "current";
  return withFileLock(LOCK, async () => {
    if (isCurrent()) return "current";
    const before = fingerprint();
    rmSync(FINGERPRINT, { force: true });
    await runPrisma();
    writeFileSync(FINGERPRINT, before);
    return "generated";
  });
}

function isCurrent(): boolean {
  return existsSync(FINGERPRINT) && readFileSync(FINGERPRINT, "utf8") === fingerprint();
}

function fingerprint(): string {
  const hash = createHash("sha256").update(readFileSync(join(prismaDir(), "package.json")));
  for (const name of readdirSync(SCHEMA_DIR).sort()) {
    hash
      .update(name)
      .update("\0")
      .update(readFileSync(join(SCHEMA_DIR, name)))
      .update("\0");
  }
  return hash.digest("hex");
}

function prismaDir(): string {
  return resolve(createRequire(import.meta.url).resolve("prisma/package.json"), "..");
}

async function runPrisma(): Promise<void> {
  const env = {
    ...process.env,
    // Generating does not use the native engine, but downloads it unless this names a file.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
    NO_COLOR: "1",
  };
  try {
    await promisify(execFile)(process.execPath, [join(prismaDir(), "build/index.js"), "generate"], { cwd: ROOT, env });
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`prisma generate failed. It said:\n${`${stdout}${stderr}`.trim() || message}`);
  }
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  process.stdout.write(`Prisma client: ${await generateClient()}\n`);
}
