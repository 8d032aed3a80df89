import { resolve } from "node:path";
import { buildPages } from "#lib/boot/build.ts";
import { generateClient } from "#lib/db/generate.ts";
import { leaveOut, sizeOf } from "./leave-out.ts";

// Makes a production install ready to run on a read-only file system: Prisma client and pages are there, and what builds them is not.
const root = resolve(import.meta.dirname, "../..");
console.log(`Prisma client: ${await generateClient()}`);
console.log(`Pages: ${await buildPages(root, console.log).done}`);
leaveOut(root);
console.log(`Size: ${Math.round(sizeOf(root) / 2 ** 20)} MiB`);
