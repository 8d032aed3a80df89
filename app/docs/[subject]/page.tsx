import type { Metadata } from "next";
import { CallList } from "#components/reference/call.tsx";
import { subjectHref } from "#components/reference/model.ts";
import { callChapters, ReferencePage } from "../reference-page.tsx";
import { findSubject } from "./find.ts";

type Props = { params: Promise<{ subject: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const subject = findSubject((await params).subject);
  const { name, description } = subject;
  return { title: `${name}, docs`, description, alternates: { canonical: subjectHref(subject) } };
}

export default async function SubjectPage({ params }: Props) {
  const subject = findSubject((await params).subject);
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
