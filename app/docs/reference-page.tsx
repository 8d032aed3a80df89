import type { ReactNode } from "react";
import { type Chapter, Contents } from "#components/reference/contents.tsx";
import { Described } from "#components/reference/described.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { readReference } from "./reference.ts";

/** One part of the reference, with the way to all others beside it, or above it where there is no room. */
export function ReferencePage({
  path,
  title,
  lead,
  chapters,
  children,
}: {
  path: string;
  title: string;
  lead: string;
  chapters: readonly Chapter[];
  children: ReactNode;
}) {
  const contents = <Contents tags={readReference().tags} current={path} inside={chapters} />;
  return (
    <Page
      aside={
        <nav aria-label="Contents" className="contents hidden lg:block">
          {contents}
        </nav>
      }
    >
      <PageHeader title={title} lead={<Described text={lead} />}>
        <p className="mt-3">
          The same for programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
        </p>
        <details className="mt-4 border-rule border-y py-2 lg:hidden">
          <summary>Contents</summary>
          <nav aria-label="Contents" className="mt-3 mb-2">
            {contents}
          </nav>
        </details>
      </PageHeader>
      {children}
    </Page>
  );
}
