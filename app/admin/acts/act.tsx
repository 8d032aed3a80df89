"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { COMMUNITY, call, NOT_VALID, type Outcome, refuse } from "../../browser/call.ts";
import { Form } from "../../browser/form.tsx";
import { FormFields, type FormPart } from "../../browser/form-fields.tsx";
import { type FieldSpec, readFields } from "../../browser/read-fields.ts";
import { textOf, useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../../workspace/owner-refusal.tsx";
import { type Secret, useAnnounce } from "./acts.tsx";
import { SplitShares, type SplitTerms } from "./split-shares.tsx";

/**
 * The confirmation of an act that cannot be undone; it names what is affected. Without a text, the service is asked what the act
 * would do, with what was typed, and its sentences are shown.
 */
type Question = {
  title: string;
  /** The button; by default like the form’s. */
  action?: string;
  text?: string;
};

/**
 * A form for one act of an administrator. Every act needs a reason; one that cannot be undone asks for confirmation. If the act is
 * refused, the form keeps what was typed.
 */
export function Act({
  act,
  title,
  brief,
  send,
  about,
  fields = [],
  split,
  question,
  reasonHint = "Kept permanently in the audit trail, with your name.",
  done,
  children,
}: {
  /** The endpoint, as in `/api/v1/admin/{act}.php`. */
  act: string;
  title: string;
  /** What it comes to, in a line that shows before the form is opened. */
  brief?: ReactNode;
  /** The label of the button. */
  send: string;
  /** What the act is about, which is not typed. */
  about: Record<string, string>;
  /** What the administrator chooses or types, apart from the reason. */
  fields?: readonly FieldSpec[];
  /** What `provider_pence` is a part of: shows who gets what while it is typed. */
  split?: SplitTerms | undefined;
  question?: Question;
  /** Who reads the reason. */
  reasonHint?: string;
  /** The message after success. The answer's `found` is appended to it; a secret in the answer is shown once. */
  done: string;
  /** What the act does. */
  children?: ReactNode;
}) {
  const router = useRouter();
  const announce = useAnnounce();
  const frame = useRef<HTMLDetailsElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const isConfirmed = useRef(false);
  const [effects, setEffects] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const parts: FormPart[] = [
    ...fields,
    ...(split ? [() => <SplitShares typed={typed} {...split} />] : []),
    { name: "reason", label: "Reason", rows: 3, hint: reasonHint, required: true },
  ];

  const form = useForm<Asked | Answer>(
    async (filled) => {
      const { values, errors } = readFields(parts, filled);
      if (Object.keys(errors).length > 0) return refuse(NOT_VALID, errors);
      const request = { ...about, ...values };
      if (question && !isConfirmed.current) {
        if (question.text !== undefined) return { ok: true, body: { asked: [question.text] } };
        const outcome = await callAsAdministrator<Answer>(act, { ...request, preview: true });
        if (!outcome.ok) return outcome;
        return { ok: true, body: { asked: outcome.body.preview ?? ["It has already been done."] } };
      }
      const outcome = await callAsAdministrator<Answer>(act, request);
      dialog.current?.close();
      return outcome;
    },
    (body) => {
      if ("asked" in body) {
        setEffects(body.asked);
        dialog.current?.showModal();
        return;
      }
      form.props.ref.current?.reset();
      if (frame.current) frame.current.open = false;
      announce([done, body.found, body.act?.problem].filter(Boolean).join(" "), secretIn(body));
      router.refresh();
    },
  );

  /** Sends the form once more, now confirmed. What is sent is decided before this returns; no later sending is confirmed. */
  function confirm(event: FormEvent) {
    event.preventDefault();
    isConfirmed.current = true;
    form.props.ref.current?.requestSubmit();
    isConfirmed.current = false;
  }

  return (
    <details ref={frame} className="act">
      <summary>
        <span>{title}</span>
        {brief ? <span className="block indent-0 font-normal text-13 text-muted">{brief}</span> : null}
      </summary>
      <Form
        form={form}
        Refused={OwnerRefusal}
        label={title}
        className="act-form"
        onInput={({ currentTarget }) => split && setTyped(textOf(new FormData(currentTarget), "provider_pence"))}
      >
        {children ? <div className="max-w-measure space-y-2">{children}</div> : null}
        <FormFields form={form} parts={parts} />
        <SendButton pending={form.pending}>{send}</SendButton>
      </Form>
      {question ? (
        <Dialog
          frame={dialog}
          title={question.title}
          action={question.action ?? send}
          pending={form.pending}
          form={{ onSubmit: confirm }}
        >
          {question.text === undefined ? (
            <ul className="mt-2 list-disc space-y-1 ps-5">
              {effects.map((line) => (
                <li key={line}>{plainLine(line)}</li>
              ))}
            </ul>
          ) : (
            <p className="mt-2">{question.text}</p>
          )}
        </Dialog>
      ) : null}
    </details>
  );
}

/** What has to be confirmed before the act. */
type Asked = { asked: string[] };

type Answer = {
  found?: string;
  password?: string;
  management_token?: string;
  preview?: string[];
  act?: { problem: string | null };
};

function secretIn({ password, management_token: token }: Answer): Secret | undefined {
  if (password !== undefined) return { kind: "password", value: password };
  return token === undefined ? undefined : { kind: "management_token", value: token };
}

/** Sends an act. After a 404 it checks the session, because the endpoints are missing for everyone but administrators. */
async function callAsAdministrator<Body>(act: string, body: object): Promise<Outcome<Body>> {
  const outcome = await callAsOwner<Body>(`/api/v1/admin/${act}.php`, body);
  if (outcome.ok || outcome.refusal.code !== "not_found") return outcome;
  const session = await call<{ owner: { role: string } }>(`${COMMUNITY}?view=session`);
  if (!session.ok) return session;
  const message =
    session.body.owner.role === "administrator"
      ? "It no longer exists. Someone else may have removed it: reload the page."
      : "Nothing was changed, because the account that you are signed in with is not an administrator.";
  return { ok: false, refusal: { ...outcome.refusal, message } };
}
