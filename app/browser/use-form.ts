import { type FormEvent, useEffect, useRef } from "react";
import type { Refusal } from "#components/form/refusal.tsx";
import type { Outcome } from "./call.ts";
import { useSend } from "./use-send.ts";

export type FormHandle = {
  props: {
    ref: React.RefObject<HTMLFormElement | null>;
    onSubmit(event: FormEvent): void;
    noValidate: true;
    method: "post";
  };
  pending: boolean;
  refusal: Refusal | null;
  /** What is wrong with the field of this name. */
  errorOf(name: string): string | undefined;
};

/**
 * A form that is sent by script and keeps what was typed: `send` gets its fields, `done` what came of it. After a refusal
 * the first field that is wrong gets the focus, or else the refusal itself.
 */
export function useForm<Body>(
  send: (fields: FormData) => Promise<Outcome<Body>>,
  done: (body: Body) => void,
): FormHandle {
  const ref = useRef<HTMLFormElement>(null);
  const { pending, refusal, send: sendOnce } = useSend();

  useEffect(() => {
    if (!refusal) return;
    const find = (selector: string) => ref.current?.querySelector<HTMLElement>(selector);
    (find("[aria-invalid='true']") ?? find("[role='alert']"))?.focus();
  }, [refusal]);

  async function submit(form: HTMLFormElement) {
    const outcome = await sendOnce(() => send(new FormData(form)));
    if (outcome?.ok) done(outcome.body);
  }

  return {
    props: {
      ref,
      noValidate: true,
      method: "post",
      onSubmit(event) {
        event.preventDefault();
        void submit(event.currentTarget as HTMLFormElement);
      },
    },
    pending,
    refusal,
    errorOf: (name) => refusal?.fieldErrors[name],
  };
}

/** The text of a field, as typed. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}
