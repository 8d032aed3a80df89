import type { Metadata } from "next";
import { Markdown } from "#components/markdown/markdown.tsx";
import { parseMarkdown } from "#components/markdown/parse.ts";
import { CallList } from "#components/reference/call.tsx";
import { subjectHref } from "#components/reference/model.ts";
import { type DocumentName, documentSource, isDocument } from "#lib/api/documents/texts.ts";
import { DOCUMENTS, documentHref, documentMetadata } from "../reference-documents.ts";
import { callChapters, ReferencePage } from "../reference-page.tsx";
import { findSubject } from "./find.ts";

type Props = { params: Promise<{ subject: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { subject: anchor } = await params;
  if (isDocument(anchor)) return documentMetadata(anchor);
  const subject = findSubject(anchor);
  const { name, description } = subject;
  return { title: `${name}, docs`, description, alternates: { canonical: subjectHref(subject) } };
}

/** The calls about one subject, or one of the documents. */
export default async function SubjectPage({ params }: Props) {
  const { subject: anchor } = await params;
  if (isDocument(anchor)) return <DocumentPage name={anchor} />;
  const subject = findSubject(anchor);
  return (
    <ReferencePage
      path={subjectHref(subject)}
      title={subject.name}
      lead={subject.description}
      chapters={callChapters(subject)}
    >
      <CallList subject={subject} />
    </ReferencePage>
  );
}

function DocumentPage({ name }: { name: DocumentName }) {
  const text = documentSource(name);
  const chapters = parseMarkdown(text).flatMap((block) =>
    block.kind === "heading" && block.level === 2 ? [{ href: `#${block.id}`, title: block.text }] : [],
  );
  return (
    <ReferencePage path={documentHref(name)} {...DOCUMENTS[name]} chapters={chapters}>
      <Markdown text={text} />
    </ReferencePage>
  );
}
