"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";
import { Choice, Field, TextField } from "#components/form/field.tsx";
import type { Refusal } from "#components/form/refusal.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { refuse } from "../../browser/call.ts";
import { textOf } from "../../browser/use-form.ts";
import { OwnerRefusal } from "../../workspace/owner-refusal.tsx";
import { useSay } from "./acts.tsx";
import { callAsAdministrator } from "./call-as-administrator.ts";

type Options = readonly { value: string; label: string }[];

/** What cannot be undone is asked about, by name. */
export type Question = { title: string; action: string; text: string };

/**
 * One act of an administrator: it is opened, given a reason, and where it cannot be undone confirmed by name. What was typed
 * stays when it is refused.
 */
export function Act({
  act,
  title,
  send,
  fields,
  choice,
  amount,
  question,
  done,
  children,
}: {
  /** The name of its endpoint. */
  act: string;
  title: string;
  /** The button. */
  send: string;
  fields: Record<string, string>;
  choice?: { name: string; label: string; options: Options; value?: string };
  /** A whole number that the administrator types. */
  amount?: { name: string; label: string; hint?: string };
  question?: Question;
  /** The message when it is done. An answer's `found` is added to it, and its `password` is shown. */
  done: string;
  /** What it does. */
  children?: ReactNode;
}) {
  const router = useRouter();
  const say = useSay();
  const frame = useRef<HTMLDetailsElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  useEffect(() => {
    if (!refusal) return;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find("[aria-invalid='true']") ?? find("[role='alert']"))?.focus();
  }, [refusal]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (pending || !form.current) return;
    if (!textOf(new FormData(form.current), "reason").trim()) {
      setRefusal(refuse("Say why, for the record.", { reason: "It must not be empty." }).refusal);
      return;
    }
    setRefusal(null);
    if (question) dialog.current?.showModal();
    else void go();
  }

  function confirm(event: FormEvent) {
    event.preventDefault();
    void go();
  }

  async function go() {
    if (pending || !form.current) return;
    const typed = new FormData(form.current);
    setPending(true);
    const body = {
      ...fields,
      ...(choice ? { [choice.name]: textOf(typed, choice.name) } : {}),
      ...(amount ? { [amount.name]: wholeNumber(textOf(typed, amount.name)) } : {}),
    };
    const outcome = await callAsAdministrator<{ found?: string; password?: string }>(act, {
      ...body,
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
    say([done, outcome.body.found].filter(Boolean).join(" "), outcome.body.password);
    router.refresh();
  }

  return (
    <details ref={frame} className="act">
      <summary>{title}</summary>
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
        {amount ? (
          <Field
            name={amount.name}
            label={amount.label}
            hint={amount.hint}
            inputMode="numeric"
            autoComplete="off"
            error={refusal?.fieldErrors[amount.name]}
            required
          />
        ) : null}
        <TextField
          name="reason"
          label="Reason"
          rows={3}
          hint="It goes into the record with your name, for good."
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
          <p className="mt-2">{question.text}</p>
        </Dialog>
      ) : null}
    </details>
  );
}

/** Anything but a whole number is sent as typed, so that the service refuses the field. */
function wholeNumber(typed: string): number | string {
  const text = typed.trim();
  return /^\d+$/.test(text) ? Number(text) : text;
}
