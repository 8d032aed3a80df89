import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { QUICK_START } from "#components/reference/model.ts";
import { Tabs } from "#components/reference/tabs.tsx";
import { documentSource } from "#lib/api/documents/texts.ts";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "From nothing to your agent’s first settled task, in one program.";

export const metadata: Metadata = {
  title: "Quick start, docs",
  description: LEAD,
  alternates: { canonical: QUICK_START },
};

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
    <ReferencePage path={QUICK_START} title="Quick start" lead={LEAD} chapters={CHAPTERS}>
      <Markdown text={text.slice(0, starts[0])} />
      <Tabs
        label="Tools"
        tabs={TOOLS.map((tool, at) => ({ ...tool, panel: <Markdown text={text.slice(starts[at], starts[at + 1])} /> }))}
      />
    </ReferencePage>
  );
}
