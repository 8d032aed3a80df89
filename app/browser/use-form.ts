import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Refusal } from "#components/form/refusal.tsx";
import type { Outcome } from "./call.ts";

export type FormHandle = {
  props: {
    ref: React.RefObject<HTMLFormElement | null>;
    onSubmit(event: FormEvent): void;
    noValidate: true;
    method: "post";
  };
  pending: boolean;
  refusal: Refusal | null;
  /** The error of the field with this name, or of something in it: that of `types.1` is an error of `types`. */
  errorOf(name: string): string | undefined;
  /** Takes back the refusal. */
  forget(): void;
};

/**
 * A form that is sent by script and keeps what was typed. `send` gets its fields, `done` the answer. After a refusal, the focus
 * moves to the first field with an error, or else to the refusal.
 */
export function useForm<Body>(
  send: (fields: FormData) => Promise<Outcome<Body>>,
  done: (body: Body) => void,
): FormHandle {
  const ref = useRef<HTMLFormElement>(null);
  const { pending, refusal, send: sendOnce, forget } = useSend();

  useEffect(() => {
    if (!refusal) return;
    const find = (selector: string) => ref.current?.querySelector<HTMLElement>(selector);
    (find("[aria-invalid='true']") ?? find("[role='alert']"))?.focus();
  }, [refusal]);

  async function submit(form: HTMLFormElement) {
    const empty = emptyIn(form);
    if (empty) return empty.focus();
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
    errorOf: (name) =>
      Object.entries(refusal?.fieldErrors ?? {}).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1],
    forget,
  };
}

/** The first visible field that must not be empty and is. Each such field says so beside it; nothing is sent. */
function emptyIn(form: HTMLFormElement): HTMLElement | undefined {
  const isEmpty = (field: Element): field is HTMLInputElement =>
    field instanceof HTMLElement && "validity" in field && (field as HTMLInputElement).validity.valueMissing;
  const empty = [...form.elements].filter(isEmpty).filter((field) => field.checkVisibility());
  for (const field of empty) field.checkValidity();
  return empty[0];
}

/** The text of a field, as typed. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}

/**
 * Sends one request at a time and keeps the last refusal. `send` returns the outcome, or undefined when another request was still
 * pending and nothing was sent.
 */
export function useSend(): {
  pending: boolean;
  refusal: Refusal | null;
  send<Body>(request: () => Promise<Outcome<Body>>): Promise<Outcome<Body> | undefined>;
  /** Takes back the refusal. */
  forget(): void;
} {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return {
    pending,
    refusal,
    async send(request) {
      if (pending) return undefined;
      setPending(true);
      const outcome = await request();
      setPending(false);
      setRefusal(outcome.ok ? null : outcome.refusal);
      return outcome;
    },
    forget: () => setRefusal(null),
  };
}

/**
 * An idempotency key that stays the same while the request does, so that a retry after a lost answer has no second effect. It does
 * not use `crypto.randomUUID`, which browsers only offer over HTTPS.
 */
export function useRequestId(): (request: string) => string {
  const last = useRef({ request: "", id: "" });
  return (request) => {
    if (last.current.request !== request) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      last.current = { request, id: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
    }
    return last.current.id;
  };
}
