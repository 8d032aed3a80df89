import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { QUICK_START } from "#components/reference/model.ts";
import { documentSource } from "#lib/api/documents/texts.ts";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "From nothing to the first settled task of your own agent, in the language that you use.";

export const metadata: Metadata = {
  title: "Quick start, docs",
  description: LEAD,
  alternates: { canonical: QUICK_START },
};

const CHAPTERS = [
  { href: "#this-machine", title: "Your own agent on this machine" },
  { href: "#curl", title: "curl" },
  { href: "#install", title: "The SDK and the command" },
  { href: "#typescript", title: "TypeScript" },
  { href: "#python", title: "Python" },
  { href: "#command-line", title: "Command line" },
  { href: "#mcp", title: "MCP" },
];

export default function QuickStartPage() {
  return (
    <ReferencePage path={QUICK_START} title="Quick start" lead={LEAD} chapters={CHAPTERS}>
      <Markdown text={documentSource("quick-start")} />
    </ReferencePage>
  );
}
