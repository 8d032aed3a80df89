import { resolve } from "node:path";
import { buildPages } from "#lib/boot/pages/build.ts";
import { generateClient } from "#lib/db/generate.ts";
import { leaveOut, sizeOf } from "./leave-out.ts";

// Makes a production install ready to run on a read-only file system, by building the Prisma client and the pages.
// --slim, for the image, also removes what builds them, the embedded database and the Node that comes with the packages.
const isSlim = process.argv.includes("--slim");
const root = resolve(import.meta.dirname, "../..");
console.log(`Prisma client: ${await generateClient()}`);
console.log(`Pages: ${await buildPages(root, console.log).done}`);
if (isSlim) {
  leaveOut(root);
  console.log(`Size: ${Math.round(sizeOf(root) / 2 ** 20)} MiB`);
}
