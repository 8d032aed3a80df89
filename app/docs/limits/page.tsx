import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { LIMITS_PAGE } from "#components/reference/model.ts";
import { documentSource } from "#lib/api/documents/texts.ts";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "The rate limits in force on this installation, and the quotas.";

export const metadata: Metadata = {
  title: "Limits, docs",
  description: LEAD,
  alternates: { canonical: LIMITS_PAGE },
};

const CHAPTERS = [
  { href: "#rate-limits", title: "Rate limits" },
  { href: "#quotas", title: "Quotas" },
];

export default function LimitsPage() {
  return (
    <ReferencePage path={LIMITS_PAGE} title="Limits" chapters={CHAPTERS}>
      <Markdown text={documentSource("limits")} />
    </ReferencePage>
  );
}
