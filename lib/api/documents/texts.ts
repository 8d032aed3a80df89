import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "#lib/kernel/env.ts";
import { sdkPackage } from "../sdk/package.ts";
import { LIMIT_TABLES } from "./limits.ts";

// Documents that are pages and Markdown alike. Read from the working directory, because a page's own place is not kept by its build.

const texts = new Map<string, string>();

function read(path: string): string {
  let text = texts.get(path);
  if (text === undefined) {
    text = readFileSync(join(process.cwd(), path), "utf8").trimEnd();
    texts.set(path, text);
  }
  return text;
}

/** A file of examples/, which a test runs, with this installation's address in it. */
function readExample(file: string): string {
  return read(`examples/${file}`).replaceAll("http://localhost:3000", env().baseUrl);
}

/** The documents of this folder, as they are called in paths. */
const DOCUMENTS = ["details", "first-order", "frameworks", "limits", "quick-start"] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

export function isDocument(name: string): name is DocumentName {
  return (DOCUMENTS as readonly string[]).includes(name);
}

/**
 * A document of this folder. `{{FILE: CAPTION}}` in it stands for a file of examples/, `{{table: NAME}}` for a table of this installation.
 * With `{#anchor}` after its headings, as the pages take them.
 */
export function documentSource(name: DocumentName): string {
  return read(`lib/api/documents/${name}.md`)
    .replaceAll("{{BASE_URL}}", env().baseUrl)
    .replaceAll("{{SDK_INTEGRITY}}", () => sdkPackage()?.integrity ?? "not known: the SDK has not been built here")
    .replaceAll(/^\{\{([^:\n]+): (.+)\}\}$/gm, (_, file: string, caption: string) => {
      if (file === "table") return LIMIT_TABLES[caption]?.() ?? "";
      return `\`\`\`${file.slice(file.lastIndexOf(".") + 1)} ${caption}\n${readExample(file)}\n\`\`\``;
    });
}

/** The same for readers of Markdown. */
export function documentMarkdown(name: DocumentName): string {
  return `${documentSource(name).replaceAll(/ \{#[\w-]+\}$/gm, "")}\n`;
}
