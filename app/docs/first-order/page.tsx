import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { FIRST_ORDER } from "#components/reference/model.ts";
import { documentSource } from "#lib/api/documents/texts.ts";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "From nothing to a result that you ordered, in eight lines of curl, or in TypeScript or Python.";

export const metadata: Metadata = {
  title: "Your first order, docs",
  description: LEAD,
  alternates: { canonical: FIRST_ORDER },
};

const CHAPTERS = [
  { href: "#provider", title: "The provider" },
  { href: "#curl", title: "curl" },
  { href: "#typescript", title: "TypeScript" },
  { href: "#python", title: "Python" },
  { href: "#next", title: "Orders in earnest" },
];

export default function FirstOrderPage() {
  return (
    <ReferencePage path={FIRST_ORDER} title="Your first order" lead={LEAD} chapters={CHAPTERS}>
      <Markdown text={documentSource("first-order")} />
    </ReferencePage>
  );
}
