import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { Markdown } from "#components/markdown/markdown.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { LEGAL, type LegalName, readLegal } from "../documents.ts";

type Props = { params: Promise<{ name: string }> };

async function findLegal({ params }: Props) {
  const { name } = await params;
  if (!Object.hasOwn(LEGAL, name)) notFound();
  // The operator may change the file at any time.
  await connection();
  return { ...LEGAL[name as LegalName], ...readLegal(name as LegalName), name };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { title, lead, name, isExample } = await findLegal(props);
  const robots = isExample ? { robots: { index: false } } : {};
  return { title, description: lead, alternates: { canonical: `/legal/${name}` }, ...robots };
}

export default async function LegalPage(props: Props) {
  const { title, lead, text, name, isExample } = await findLegal(props);
  return (
    <Page>
      <PageHeader title={title} lead={lead} />
      {isExample ? (
        <p role="note" className="mb-6 max-w-measure border-caution border-t-2 pt-3 text-15">
          <strong>This is an example and does not apply.</strong> The operator of this service has not published this
          page yet. (Operator: write <code>pages/{name}.md</code> in the data folder.)
        </p>
      ) : null}
      <Markdown text={text} />
    </Page>
  );
}
