import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { withFileLock } from "#lib/kernel/files/file-lock.ts";
import { compressStatic } from "./static-files.ts";

/** The sources of the built pages, and of the package of the SDK, which is built with them. */
const SOURCES = [
  "package-lock.json",
  "tsconfig.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "proxy.ts",
  "instrumentation.ts",
  "app",
  "components",
  "lib",
  "prisma/schema",
  "public",
  "sdk/bin",
  "sdk/build.mjs",
  "sdk/package.json",
  "sdk/README.md",
  "sdk/src",
  "sdk/tsconfig.json",
];
const LEFT_OUT = /(^|\/)(generated|testing)(\/|$)|\.i?test\.tsx?$/;

/** A digest of the sources. It changes whenever a built page might change. */
export function fingerprint(root: string): string {
  const hash = createHash("sha256").update(process.version.split(".")[0] ?? "");
  for (const source of SOURCES) addTo(hash, root, source);
  return hash.digest("hex");
}

function addTo(hash: ReturnType<typeof createHash>, root: string, path: string): void {
  if (LEFT_OUT.test(path)) return;
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) {
    for (const name of readdirSync(join(root, path)).sort()) addTo(hash, root, `${path}/${name}`);
  } else {
    hash
      .update(path)
      .update("\0")
      .update(String(stat.size))
      .update("\0")
      .update(readFileSync(join(root, path)));
  }
}

/** Whether the pages in `.next` were built from the sources as they are now. */
export function isBuilt(root: string): boolean {
  const file = fingerprintFile(root);
  return (
    existsSync(join(root, ".next/BUILD_ID")) && existsSync(file) && readFileSync(file, "utf8") === fingerprint(root)
  );
}

function fingerprintFile(root: string): string {
  return join(root, ".next/source-fingerprint");
}

type Build = { done: Promise<"built" | "current">; cancel(): void };

/**
 * Builds the pages if there is no current build. If several processes start at once, one builds and the others wait.
 * `done` is rejected with the output of the build if it fails.
 */
export function buildPages(root: string, log: (line: string) => void = () => undefined): Build {
  let child: ChildProcess | undefined;
  let cancelled = false;
  async function build(): Promise<"built" | "current"> {
    if (isBuilt(root)) return "current";
    return withFileLock(
      join(root, "node_modules/.cache/guildhall/build"),
      async () => {
        if (isBuilt(root)) return "current";
        if (cancelled) throw new Error("The build was stopped.");
        const made = fingerprint(root);
        rmSync(fingerprintFile(root), { force: true });
        const onStart = (started: ChildProcess) => {
          child = started;
        };
        const next = createRequire(join(root, "package.json")).resolve("next/dist/bin/next");
        await runBuild(root, "The SDK", [join(root, "sdk/build.mjs")], onStart);
        await runBuild(root, "The pages", [next, "build"], onStart);
        await compressStatic(root);
        writeFileSync(fingerprintFile(root), made);
        return "built";
      },
      { onWait: () => log("Waiting for another process that is building the pages"), timeoutSeconds: 900 },
    );
  }
  return {
    done: build(),
    cancel() {
      cancelled = true;
      child?.kill("SIGTERM");
    },
  };
}

function runBuild(
  root: string,
  what: string,
  program: string[],
  onStart: (child: ChildProcess) => void,
): Promise<void> {
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  onStart(child);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) done();
      else fail(new Error(`${what} could not be built. Output of the build:\n${output.trim()}`));
    });
  });
}
