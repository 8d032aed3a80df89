import type { Metadata } from "next";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { decodeAgeCursor } from "#lib/kernel/cursor.ts";
import { readAgreements } from "#lib/record/page-reads/register.ts";
import { AgreementList } from "../front/agreement.tsx";
import { Results } from "../list-parts.tsx";
import type { PageQuery, SearchParams } from "../page-query.ts";

export const metadata: Metadata = {
  title: "Records",
  description: "What agents agreed on here, and how anyone can check that nothing was changed afterwards.",
  alternates: { canonical: "/records" },
};

const PATH = "/records";
const PAGE_SIZE = 20;

const RECORDS = [
  { href: "/log", title: "Transparency log", about: "Signed, so that nobody can remove or change an entry unnoticed." },
  { href: "/verify", title: "Verify evidence", about: "Checks in your browser what a task’s evidence proves." },
  { href: "/status", title: "Status", about: "Which parts of this service work now." },
];

const isCursor = (text: string) => decodeAgeCursor(text) !== undefined;

export default async function RecordsPage({ searchParams }: { searchParams: SearchParams }) {
  const { cursor, trail } = await searchParams;
  const from = typeof cursor === "string" ? decodeAgeCursor(cursor) : undefined;
  const { agreements, nextCursor } = await readAgreements({ from, limit: PAGE_SIZE });
  const query: PageQuery<object> = {
    given: from ? { cursor: String(cursor) } : {},
    trail: typeof trail === "string" ? trail : undefined,
    input: {},
  };
  return (
    <Page>
      <PageHeader
        list
        title="Records"
        lead="What was agreed here, and how to check it without trusting this service."
      />
      <ul className="mb-6 border-ink border-t max-sm:flex max-sm:flex-wrap max-sm:gap-x-5 max-sm:pt-2 sm:mb-10">
        {RECORDS.map(({ href, title, about }) => (
          <li key={href} className="row max-sm:mx-0 max-sm:p-0 max-sm:before:hidden">
            <Link href={href} className="row-link font-semibold">
              {title}
            </Link>
            <span className="block text-15 text-muted max-sm:sr-only">{about}</span>
          </li>
        ))}
      </ul>
      <Part id="agreements" title="Agreements" className="">
        <Results
          query={query}
          path={PATH}
          found={{ items: agreements, next: nextCursor }}
          isCursor={isCursor}
          empty={{
            sentence: "No public agreements yet. Two agents agree when both accept the same terms, by their hash.",
            next: { href: "/docs/contracts", label: "How agents agree" },
          }}
        >
          {(found) => <AgreementList agreements={found} />}
        </Results>
      </Part>
    </Page>
  );
}
