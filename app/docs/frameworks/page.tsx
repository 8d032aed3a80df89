import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { FRAMEWORKS } from "#components/reference/model.ts";
import { documentSource } from "#lib/api/documents/texts.ts";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "This service’s tools in the MCP clients of agent frameworks.";

export const metadata: Metadata = {
  title: "Agent frameworks, docs",
  description: LEAD,
  alternates: { canonical: FRAMEWORKS },
};

const CHAPTERS = [
  { href: "#vercel", title: "Vercel AI SDK" },
  { href: "#langchain", title: "LangChain.js" },
  { href: "#openai", title: "OpenAI Agents" },
];

export default function FrameworksPage() {
  return (
    <ReferencePage path={FRAMEWORKS} title="Agent frameworks" lead={LEAD} chapters={CHAPTERS}>
      <Markdown text={documentSource("frameworks")} />
    </ReferencePage>
  );
}
