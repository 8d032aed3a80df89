import type { ReactNode } from "react";
import {
  callHref,
  REFERENCE,
  SEARCH,
  SHAPES,
  type SubjectDoc,
  shapeHref,
  subjectHref,
} from "#components/reference/model.ts";
import { Described } from "#components/reference/prose.tsx";
import { SearchForm } from "#components/search-form.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import type { DocumentName } from "#lib/api/documents/texts.ts";
import { readReference } from "./reference.ts";
import { DOCUMENTS, documentHref } from "./reference-documents.ts";

/**
 * One page of the reference at `path`, with the contents of the whole beside it, or above it on a narrow screen. `open` is the
 * part of the contents whose `chapters` are listed.
 */
export function ReferencePage({
  path,
  open = path,
  title,
  lead,
  chapters,
  query = "",
  children,
}: {
  path: string;
  open?: string;
  title: string;
  lead?: string;
  chapters: readonly Chapter[];
  /** What was searched for. */
  query?: string;
  children: ReactNode;
}) {
  const contents = <Contents subjects={readReference().subjects} current={path} open={open} chapters={chapters} />;
  return (
    <Page
      aside={
        <nav aria-label="Contents" className="contents hidden lg:block">
          {contents}
        </nav>
      }
    >
      <PageHeader title={title} lead={lead ? <Described text={lead} /> : undefined}>
        <details className="mt-4 border-rule border-y py-2 lg:hidden">
          <summary>Contents</summary>
          <nav aria-label="Contents" className="mt-3 mb-2">
            {contents}
          </nav>
        </details>
      </PageHeader>
      <SearchForm key={query} action={SEARCH} label="Search the reference" value={query} />
      {children}
    </Page>
  );
}

/** The chapters of a subject: its calls. */
export function callChapters(subject: SubjectDoc): Chapter[] {
  return subject.calls.map((call) => ({ href: callHref(subject, call), title: call.summary }));
}

/** The chapters of the part about shapes. */
export function shapeChapters(): Chapter[] {
  return readReference().shapes.map(({ name }) => ({ href: shapeHref(name), title: name }));
}

type Chapter = { href: string; title: string };

/** Every part of the reference and, below the `open` one, its chapters. `current` is the address of the page that is shown. */
function Contents({
  subjects,
  current,
  open,
  chapters,
}: {
  subjects: readonly SubjectDoc[];
  current: string;
  open: string;
  chapters: readonly Chapter[];
}) {
  const parts: Chapter[] = [
    { href: REFERENCE, title: "Guide" },
    ...(Object.keys(DOCUMENTS) as DocumentName[]).map((name) => ({
      href: documentHref(name),
      title: DOCUMENTS[name].title,
    })),
    ...subjects.map((subject) => ({ href: subjectHref(subject), title: subject.name })),
    { href: SHAPES, title: "Shapes" },
  ];
  return (
    <div className="contents-list">
      {parts.map((part) => (
        <div key={part.href}>
          <p className="font-semibold">
            <ContentsLink chapter={part} current={current} />
          </p>
          {part.href === open ? (
            <ul>
              {chapters.map((chapter) => (
                <li key={chapter.href}>
                  <ContentsLink chapter={chapter} current={current} />
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ))}
    </div>
  );
}

function ContentsLink({ chapter: { href, title }, current }: { chapter: Chapter; current: string }) {
  return (
    <a href={href} aria-current={href === current ? "page" : undefined}>
      {title}
    </a>
  );
}
