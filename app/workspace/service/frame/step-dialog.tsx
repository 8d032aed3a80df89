import { type ReactNode, useRef } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { Outcome } from "../../../browser/call.ts";
import { type FormHandle, useForm } from "../../../browser/use-form.ts";

/** A step that cannot simply be taken back: a button that asks first, with the fields that the step takes. What was typed stays. */
export function Act<Body>({
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
  /** The button that does it, naming the thing. */
  action: string;
  danger?: boolean;
  primary?: boolean;
  send: (fields: FormData) => Promise<Outcome<Body>>;
  done: (body: Body) => void;
  fields?: (form: FormHandle) => ReactNode;
  /** What happens, and what does not come back. */
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
