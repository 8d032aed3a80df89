import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateClient } from "#lib/db/generate.ts";
import { envExample } from "./env-example.ts";

// `npm run generate`: writes the parts of the SDK that follow from the endpoints, and the example of a configuration.

const ROOT = resolve(import.meta.dirname, "../..");

await generateClient();
const { sdkFiles } = await import("./sdk/files.ts");
for (const [file, text] of Object.entries({ ...sdkFiles(), ".env.example": envExample() })) {
  const path = join(ROOT, file);
  const before = readFileSync(path, { encoding: "utf8", flag: "a+" });
  if (before !== text) writeFileSync(path, text);
  console.log(`${file}: ${before === text ? "unchanged" : "written"}`);
}
