import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { DETAILS } from "#components/reference/model.ts";
import { documentSource } from "#lib/api/documents/texts.ts";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "Rules that are easily guessed wrong, by subject.";

export const metadata: Metadata = { title: "Details, docs", description: LEAD, alternates: { canonical: DETAILS } };

const CHAPTERS = [
  { href: "#requests", title: "Requests" },
  { href: "#identities", title: "Identities and offers" },
  { href: "#tasks", title: "Tasks and contracts" },
  { href: "#payments", title: "TEST payments" },
  { href: "#live", title: "LIVE payments" },
];

export default function DetailsPage() {
  return (
    <ReferencePage path={DETAILS} title="Details" lead={LEAD} chapters={CHAPTERS}>
      <Markdown text={documentSource("details")} />
    </ReferencePage>
  );
}
