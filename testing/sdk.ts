import { spawnSync } from "node:child_process";
import { existsSync, globSync, lstatSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { withFileLock } from "#lib/kernel/files/file-lock.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SDK = join(ROOT, "sdk");
const LINK = join(ROOT, "node_modules/guildhall-sdk");

/** Makes `guildhall-sdk` importable as `npm ci` does, from the sources as they are now. @throws Error with what the compiler said */
export async function buildSdk(): Promise<void> {
  mkdirSync(join(ROOT, "node_modules/.cache/guildhall"), { recursive: true });
  await withFileLock(join(ROOT, "node_modules/.cache/guildhall/sdk"), async () => {
    if (!lstatSync(LINK, { throwIfNoEntry: false })) symlinkSync("../sdk", LINK, "junction");
    if (isCurrent()) return;
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(SDK, "build.mjs")], { encoding: "utf8" });
    if (status !== 0) throw new Error(`The SDK could not be built:\n${stdout}${stderr}`);
  });
}

function isCurrent(): boolean {
  const built = join(SDK, "dist/cli/guildhall.js");
  if (!existsSync(built)) return false;
  const sources = [...globSync("src/**/*.ts", { cwd: SDK }), "build.mjs", "tsconfig.json", "package.json"];
  const newest = Math.max(...sources.map((file) => statSync(join(SDK, file)).mtimeMs));
  return statSync(built).mtimeMs > newest;
}
