import { type ReactNode, useRef } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { Outcome } from "../../../browser/call.ts";
import { type FormHandle, useForm } from "../../../browser/use-form.ts";

/** A button for a step that is hard to undo. It opens a dialog with the step's fields, which keep what was typed. */
export function StepDialog<Body>({
  label,
  title,
  action,
  danger = false,
  primary = false,
  send,
  done,
  fields,
  children,
}: {
  label: string;
  title: string;
  /** The button that takes the step. */
  action: string;
  danger?: boolean;
  primary?: boolean;
  send: (fields: FormData) => Promise<Outcome<Body>>;
  done: (body: Body) => void;
  fields?: (form: FormHandle) => ReactNode;
  /** What happens, and what cannot be undone. */
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useForm(send, (body: Body) => {
    dialog.current?.close();
    done(body);
  });
  return (
    <>
      <button
        type="button"
        onClick={() => dialog.current?.showModal()}
        className={`button ${primary ? "button-primary" : ""}`}
      >
        {label}
      </button>
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
            <RefusalNote refusal={form.refusal} />
          </div>
        ) : null}
        {fields ? <div className="mt-4 space-y-4">{fields(form)}</div> : null}
      </Dialog>
    </>
  );
}
