import { type ComponentType, type ReactNode, useRef } from "react";
import { Button } from "#components/button.tsx";
import { Dialog } from "#components/dialog/dialog.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { useReady } from "#components/form/send-button.tsx";
import { NOT_VALID, type Outcome, refuse } from "./call.ts";
import { FormFields, type FormPart } from "./form-fields.tsx";
import { readFields } from "./read-fields.ts";
import { useForm } from "./use-form.ts";

/** How a step is asked for. */
export type Question = {
  /** The button that opens the dialog. */
  label: string;
  /** What the button is about, for screen readers, where a page has several such buttons. */
  of?: string;
  title: string;
  /** The button that takes the step, naming the thing. */
  action: string;
  /** What happens, and what cannot be undone. */
  children: ReactNode;
};

/** A button for a step that is hard to undo. It opens a dialog with the step's fields, which keep what was typed. */
export function StepDialog<Body>({
  label,
  of,
  title,
  action,
  opened,
  danger = false,
  primary = false,
  parts = [],
  Refused = RefusalNote,
  send,
  done,
  children,
}: Question & {
  /** Called when the dialog opens. */
  opened?: () => void;
  danger?: boolean;
  primary?: boolean;
  parts?: readonly FormPart[];
  /** Shows refusals in another way. */
  Refused?: ComponentType<{ refusal: Refusal }>;
  /** `values` are what was typed, as the API takes it. */
  send: (values: Record<string, unknown>, fields: FormData) => Promise<Outcome<Body>>;
  done: (body: Body) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ready = useReady();
  const form = useForm(
    async (fields) => {
      const { values, errors } = readFields(parts, fields);
      return Object.keys(errors).length > 0 ? refuse(NOT_VALID, errors) : send(values, fields);
    },
    (body: Body) => {
      dialog.current?.close();
      done(body);
    },
  );
  return (
    <>
      <Button
        disabled={!ready}
        aria-label={of ? `${label}: ${of}` : undefined}
        onClick={() => {
          form.forget();
          opened?.();
          dialog.current?.showModal();
        }}
        look={primary ? "primary" : "plain"}
      >
        {label}
      </Button>
      <Dialog
        frame={dialog}
        title={title}
        action={action}
        look={danger ? "button-danger" : "button-primary"}
        pending={form.pending}
        form={form.props}
      >
        <div className="mt-2 space-y-2">{children}</div>
        {form.refusal ? (
          <div className="mt-4">
            <Refused refusal={form.refusal} />
          </div>
        ) : null}
        {parts.length > 0 ? (
          <div className="mt-4 space-y-4">
            <FormFields form={form} parts={parts} />
          </div>
        ) : null}
      </Dialog>
    </>
  );
}
