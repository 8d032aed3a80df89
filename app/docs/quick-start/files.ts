import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "#lib/kernel/env.ts";

const texts = new Map<string, string>();

/** A file of examples/quickstart or examples/mcp, which a test runs, with this installation's address in it. */
export function readExample(file: string): string {
  let text = texts.get(file);
  if (text === undefined) {
    text = readFileSync(join(process.cwd(), "examples", file), "utf8").trimEnd();
    texts.set(file, text);
  }
  return text.replaceAll("http://localhost:3000", env().baseUrl);
}
