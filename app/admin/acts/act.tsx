"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";
import { Choice, Field, TextField } from "#components/form/field.tsx";
import type { Refusal } from "#components/form/refusal.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { COMMUNITY, call, type Outcome, refuse } from "../../browser/call.ts";
import { readPounds, WRITE_POUNDS } from "../../browser/pounds.ts";
import { textOf } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../../workspace/owner-refusal.tsx";
import { type Secret, useAnnounce } from "./acts.tsx";
import { SplitShares, type SplitTerms } from "./split-shares.tsx";

type Options = readonly { value: string; label: string }[];

/**
 * The confirmation of an act that cannot be undone; it names what is affected. Without a text, the service is asked what the act
 * would do, with what was typed, and its sentences are shown.
 */
type Question = { title: string; action: string; text?: string };

/**
 * A form for one act of an administrator. Every act needs a reason; one that cannot be undone asks for confirmation. If the act is
 * refused, the form keeps what was typed.
 */
export function Act({
  act,
  title,
  send,
  fields,
  choice,
  text,
  amount,
  question,
  done,
  brief,
  reasonHint = "Kept permanently in the audit trail, with your name.",
  children,
}: {
  /** The endpoint, as in `/api/v1/admin/{act}.php`. */
  act: string;
  title: string;
  /** What it comes to, in a line that shows before the form is opened. */
  brief?: ReactNode;
  /** The label of the button. */
  send: string;
  fields: Record<string, string>;
  choice?: { name: string; label: string; options: Options; value?: string };
  /** A line that the administrator types. */
  text?: { name: string; label: string; hint?: string };
  /** A whole number that the administrator types, or an amount in pounds; an optional one can be left empty. */
  amount?: { name: string; label: string; hint?: string; optional?: boolean; pounds?: boolean; shares?: SplitTerms };
  question?: Question;
  /** The message after success. The answer's `found` is appended to it; a secret in the answer is shown once. */
  /** Who reads the reason. */
  reasonHint?: string;
  done: string;
  /** What the act does. */
  children?: ReactNode;
}) {
  const router = useRouter();
  const announce = useAnnounce();
  const frame = useRef<HTMLDetailsElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [effects, setEffects] = useState<string[]>([]);
  const [typed, setTyped] = useState("");

  useEffect(() => {
    if (!refusal) return;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find("[aria-invalid='true']") ?? find("[role='alert']"))?.focus();
  }, [refusal]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (pending || !form.current) return;
    if (!textOf(new FormData(form.current), "reason").trim()) {
      setRefusal(refuse("Enter a reason.", { reason: "It must not be empty." }).refusal);
      return;
    }
    if (amount?.pounds && Object.values(amountIn(new FormData(form.current))).includes(undefined)) {
      setRefusal(refuse(WRITE_POUNDS, { [amount.name]: WRITE_POUNDS }).refusal);
      return;
    }
    setRefusal(null);
    if (!question) void go();
    else if (question.text === undefined) void preview();
    else dialog.current?.showModal();
  }

  /** The amount as it is sent: undefined if it is not an amount in pounds, and left out if it is optional and empty. */
  function amountIn(typed: FormData): Record<string, number | string | undefined> {
    if (!amount) return {};
    const given = textOf(typed, amount.name).trim();
    if (amount.optional && given === "") return {};
    return { [amount.name]: amount.pounds ? readPounds(given) : wholeNumber(given) };
  }

  /** The fields as they are filled in. */
  function filled(form: HTMLFormElement) {
    const typed = new FormData(form);
    return {
      ...fields,
      ...(choice ? { [choice.name]: textOf(typed, choice.name) } : {}),
      ...(text ? { [text.name]: textOf(typed, text.name) } : {}),
      ...amountIn(typed),
    };
  }

  async function preview() {
    if (!form.current) return;
    setPending(true);
    const outcome = await callAsAdministrator<Answer>(act, {
      ...filled(form.current),
      reason: textOf(new FormData(form.current), "reason"),
      preview: true,
    });
    setPending(false);
    if (!outcome.ok) return setRefusal(outcome.refusal);
    setEffects(outcome.body.preview ?? ["It has already been done."]);
    dialog.current?.showModal();
  }

  function confirm(event: FormEvent) {
    event.preventDefault();
    void go();
  }

  async function go() {
    if (pending || !form.current) return;
    const typed = new FormData(form.current);
    setPending(true);
    const outcome = await callAsAdministrator<Answer>(act, {
      ...filled(form.current),
      reason: textOf(typed, "reason"),
    });
    setPending(false);
    dialog.current?.close();
    if (!outcome.ok) {
      setRefusal(outcome.refusal);
      return;
    }
    setRefusal(null);
    form.current?.reset();
    if (frame.current) frame.current.open = false;
    announce([done, outcome.body.found, outcome.body.act?.problem].filter(Boolean).join(" "), secretIn(outcome.body));
    router.refresh();
  }

  return (
    <details ref={frame} className="act">
      <summary>
        <span>{title}</span>
        {brief ? <span className="block ps-5 font-normal text-13 text-muted">{brief}</span> : null}
      </summary>
      <form ref={form} onSubmit={submit} noValidate method="post" aria-label={title} className="act-form">
        {children ? <div className="max-w-measure space-y-2">{children}</div> : null}
        {refusal ? <OwnerRefusal refusal={refusal} /> : null}
        {choice ? (
          <Choice
            name={choice.name}
            label={choice.label}
            options={choice.options}
            defaultValue={choice.value}
            error={refusal?.fieldErrors[choice.name]}
          />
        ) : null}
        {text ? (
          <Field {...text} autoComplete="off" spellCheck={false} error={refusal?.fieldErrors[text.name]} required />
        ) : null}
        {amount ? (
          <div onInput={(event) => setTyped((event.target as HTMLInputElement).value)}>
            <Field
              name={amount.name}
              label={amount.label}
              hint={amount.hint}
              inputMode={amount.pounds ? "decimal" : "numeric"}
              short
              autoComplete="off"
              error={refusal?.fieldErrors[amount.name]}
              required={!amount.optional}
            />
            {amount.shares ? <SplitShares typed={typed} {...amount.shares} /> : null}
          </div>
        ) : null}
        <TextField
          name="reason"
          label="Reason"
          rows={3}
          hint={reasonHint}
          error={refusal?.fieldErrors.reason}
          required
        />
        <SendButton pending={pending}>{send}</SendButton>
      </form>
      {question ? (
        <Dialog
          frame={dialog}
          title={question.title}
          action={question.action}
          pending={pending}
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

/** Text that is not a whole number is sent as typed, so that the service's error names the field. */
function wholeNumber(typed: string): number | string {
  const text = typed.trim();
  return /^\d+$/.test(text) ? Number(text) : text;
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
