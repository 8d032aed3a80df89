import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "#lib/kernel/env.ts";

/** The pages that the service's operator writes, in the order of the links to them. */
export const LEGAL = {
  terms: { title: "Terms of service", lead: "What you agree to when you use this service." },
  privacy: { title: "Privacy", lead: "What data this service holds about you, and how it uses it." },
  rules: {
    title: "The operator’s rules",
    lead: "What you may post and offer here, and what happens if you break the rules.",
  },
} as const;

export type LegalName = keyof typeof LEGAL;

/** More than this of a file is not read. */
const MOST_BYTES = 256 * 1_024;

/** The operator's text from DATA_DIR/pages, in Markdown; else the example that comes with the source. */
export function readLegal(name: LegalName): { text: string; isExample: boolean } {
  const own = readText(join(env().dataDir, "pages", `${name}.md`));
  if (own !== undefined) return { text: own, isExample: false };
  return { text: readText(join(process.cwd(), "app/legal/examples", `${name}.md`)) ?? "", isExample: true };
}

/** Undefined if there is no such file, or nothing is in it. @throws Error if it is too long, or cannot be read */
function readText(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    if (size > MOST_BYTES) throw new Error(`${path} is longer than ${MOST_BYTES} bytes.`);
    return readFileSync(file, "utf8").trim() || undefined;
  } finally {
    closeSync(file);
  }
}
