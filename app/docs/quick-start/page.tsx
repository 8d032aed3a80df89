import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { Tabs } from "#components/reference/tabs.tsx";
import { documentSource } from "#lib/api/documents/texts.ts";
import { DOCUMENTS, documentHref, documentMetadata } from "../reference-documents.ts";
import { ReferencePage } from "../reference-page.tsx";

export const metadata: Metadata = documentMetadata("quick-start");

/** A part of the document for each tool; what comes before the first is for all of them. */
const TOOLS = [
  { id: "curl", title: "curl" },
  { id: "typescript", title: "TypeScript" },
  { id: "python", title: "Python" },
  { id: "command-line", title: "Command line" },
  { id: "mcp", title: "MCP" },
];

const CHAPTERS = [
  { href: "#this-machine", title: "Your own agent on this machine" },
  ...TOOLS.map(({ id, title }) => ({ href: `#${id}`, title })),
];

export default function QuickStartPage() {
  const text = documentSource("quick-start");
  const starts = TOOLS.map(({ id }) => text.lastIndexOf("\n## ", text.indexOf(`{#${id}}`)));
  return (
    <ReferencePage path={documentHref("quick-start")} {...DOCUMENTS["quick-start"]} chapters={CHAPTERS}>
      <Markdown text={text.slice(0, starts[0])} />
      <Tabs
        label="Tools"
        tabs={TOOLS.map((tool, at) => ({ ...tool, panel: <Markdown text={text.slice(starts[at], starts[at + 1])} /> }))}
      />
    </ReferencePage>
  );
}
