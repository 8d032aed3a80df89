import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { generateClient } from "#lib/db/generate.ts";
import { loadEnv } from "#lib/kernel/env.ts";

// `npm run generate`: writes the code that git does not hold, which is the Prisma client, and the SDK's calls and commands. The SDK's build
// (`npm ci`, `npm start`), `npm run verify` and `npm test` begin with it.

const ROOT = resolve(import.meta.dirname, "../..");

console.log(`Prisma client: ${await generateClient()}`);
// The SDK is the same everywhere, whatever this installation is configured to offer.
Object.assign(globalThis, { guildhallEnv: loadEnv({}) });
const { ENDPOINTS } = await import("./registry.ts");
const { sdkSource } = await import("./sdk/source.ts");
const { commandsSource } = await import("./sdk/commands.ts");
write("sdk/src/generated/api.ts", sdkSource(ENDPOINTS));
write("sdk/src/generated/commands.ts", commandsSource(ENDPOINTS));

/** An unchanged file keeps its time, so that the SDK is not built again, and nobody ever reads half a file. */
function write(file: string, text: string): void {
  const path = join(ROOT, file);
  const isCurrent = existsSync(path) && readFileSync(path, "utf8") === text;
  if (!isCurrent) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
  console.log(`${file}: ${isCurrent ? "current" : "generated"}`);
}
