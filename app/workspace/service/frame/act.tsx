import { type ReactNode, useId, useRef } from "react";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { Outcome } from "../../../browser/call.ts";
import { type FormHandle, useForm } from "../../../browser/use-form.ts";

/**
 * A step that cannot simply be taken back: a button that asks first, naming the thing, with the fields that the step takes. The
 * browser's own dialog keeps the focus inside, closes on Escape and gives the focus back; what was typed stays.
 */
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
  const heading = useId();
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
      <dialog ref={dialog} aria-labelledby={heading} className="dialog">
        <form {...form.props}>
          <h2 id={heading} className="font-semibold text-21 [overflow-wrap:anywhere]">
            {title}
          </h2>
          <div className="mt-2 space-y-2">{children}</div>
          {form.refusal ? (
            <div className="mt-4">
              <RefusalNote refusal={form.refusal} />
            </div>
          ) : null}
          {fields ? <div className="mt-4 space-y-4">{fields(form)}</div> : null}
          <div className="mt-6 flex flex-wrap items-center gap-3">
            <button type="button" onClick={() => dialog.current?.close()} className="button">
              Cancel
            </button>
            <button
              type="submit"
              aria-disabled={form.pending || undefined}
              className={`button ${danger ? "button-danger" : "button-primary"}`}
            >
              {action}
            </button>
            <span role="status" className="text-13 text-muted">
              {form.pending ? "Sending…" : ""}
            </span>
          </div>
        </form>
      </dialog>
    </>
  );
}
