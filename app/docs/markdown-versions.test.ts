import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { callHref, REFERENCE, shapeHref, subjectHref } from "#components/reference/model.ts";
import { llmsText } from "#lib/api/documents/llms.ts";
import { markdownAt } from "#lib/api/documents/markdown-versions.ts";
import { CALLS } from "#lib/api/documents/reference.ts";
import type { DocumentName } from "#lib/api/documents/texts.ts";
import { isForAgents } from "#lib/api/registry.ts";
import { env } from "#lib/kernel/env.ts";
import { readReference } from "./reference.ts";
import { DOCUMENTS, documentHref } from "./reference-documents.ts";

test("every page under /docs is there as Markdown too, and llms.txt links to it unless it is about calls that no agent can make", async () => {
  const { subjects, shapes } = readReference();
  const fixed = globSync("*/page.tsx", { cwd: import.meta.dirname }).map((file) => file.slice(0, -"/page.tsx".length));
  const paths = [
    ...fixed.filter((name) => !name.startsWith("[")).map((name) => `${REFERENCE}/${name}`),
    ...(Object.keys(DOCUMENTS) as DocumentName[]).map(documentHref),
    ...subjects.flatMap((subject) => [subjectHref(subject), ...subject.calls.map((call) => callHref(subject, call))]),
    ...shapes.map(({ name }) => shapeHref(name)),
  ];
  assert.ok(paths.length > 100);
  const links = llmsText();
  for (const path of paths) {
    const call = CALLS.get(path);
    const isUseful = path !== "/docs/owners" && (call === undefined || isForAgents(call));
    assert.equal(links.includes(`](${env().baseUrl}${path}.md)`), isUseful, path);
    const text = await markdownAt(path, new URLSearchParams())?.();
    assert.match(text ?? "", /^# /, path);
  }
});
