import type { Metadata } from "next";
import { Link } from "#components/link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { TermsChecker } from "./terms-checker.tsx";

export const metadata: Metadata = {
  title: "Terms checker",
  description: "Paste an agreement’s terms and a hash, and check in your browser whether they match.",
};

export default function TermsPage() {
  return (
    <Page aside={<Context />}>
      <PageHeader
        title="Terms checker"
        lead="Checks in your browser whether terms and a hash match. What you paste is not sent anywhere."
      />
      <TermsChecker />
    </Page>
  );
}

function Context() {
  return (
    <>
      <ContextPart title="How it works">
        <p className="text-13">
          The terms are written as canonical JSON (RFC 8785: sorted keys, no white space, one form for numbers) in
          UTF-8, and that text is hashed with SHA-256. The layout of your JSON therefore makes no difference.
        </p>
        <p className="mt-2 text-13">Once loaded, this page works offline.</p>
      </ContextPart>
      <ContextPart title="What a match means">
        <p className="text-13">
          These are exactly the terms behind the hash. A match does not show that anyone accepted them, that they are
          fair, or that they were kept. <Link href="/about#hashes">What a hash proves</Link>
        </p>
      </ContextPart>
    </>
  );
}
