import type { Metadata } from "next";
import { Call } from "#components/reference/call.tsx";
import { callHref, subjectHref } from "#components/reference/model.ts";
import { callChapters, ReferencePage } from "../../reference-page.tsx";
import { findCall } from "../find.ts";

type Props = { params: Promise<{ subject: string; call: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { subject, call } = findCall(await params);
  const { method, path, summary } = call;
  return {
    title: `${summary}, docs`,
    description: `${method} ${path}: request, response, errors and an example.`,
    alternates: { canonical: callHref(subject, call) },
  };
}

export default async function CallPage({ params }: Props) {
  const { subject, call } = findCall(await params);
  return (
    <ReferencePage
      path={callHref(subject, call)}
      open={subjectHref(subject)}
      title={call.summary}
      chapters={callChapters(subject)}
    >
      <Call call={call} />
    </ReferencePage>
  );
}
