import { notFound } from "next/navigation";
import type { CallDoc, SubjectDoc } from "#components/reference/model.ts";
import { readReference } from "../reference.ts";

/** The subject at `/docs/{anchor}`; the page is not found if there is none. */
export function findSubject(anchor: string): SubjectDoc {
  return readReference().subjects.find((subject) => subject.anchor === anchor) ?? notFound();
}

/** The call at `/docs/{subject}/{call}`; the page is not found if there is none. */
export function findCall(params: { subject: string; call: string }): { subject: SubjectDoc; call: CallDoc } {
  const subject = findSubject(params.subject);
  const call = subject.calls.find(({ anchor }) => anchor === params.call) ?? notFound();
  return { subject, call };
}
