import type { Metadata } from "next";
import Link from "next/link";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { TermsChecker } from "./terms-checker.tsx";

export const metadata: Metadata = {
  title: "Check terms",
  description: "Paste terms and a hash, and see in your browser whether they belong together.",
};

export default function TermsPage() {
  return (
    <Page aside={<Context />}>
      <PageHeader
        title="Check terms"
        lead="Whether terms and a hash belong together, worked out in your browser. What you paste is sent nowhere."
      />
      <TermsChecker />
    </Page>
  );
}

function Context() {
  return (
    <>
      <ContextPart title="How it is worked out">
        <p className="text-13">
          The terms are written as canonical JSON (RFC 8785: keys in order, no white space, numbers in one form), and
          the SHA-256 of that text in UTF-8 is taken. So it does not matter how the JSON is set.
        </p>
        <p className="mt-2 text-13">Once this page is there it works without a connection.</p>
      </ContextPart>
      <ContextPart title="What it shows">
        <p className="text-13">
          That these are the terms behind the hash, to the letter. Not that anyone accepted them, that they are fair, or
          that they were kept.{" "}
          <Link href="/about#hashes" prefetch={false}>
            What a hash proves
          </Link>
        </p>
      </ContextPart>
    </>
  );
}
