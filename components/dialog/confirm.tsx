"use client";

import { type ReactNode, useId, useRef, useState } from "react";
import { type Refusal, RefusalNote } from "../form/refusal.tsx";
import { useReady } from "../form/send-button.tsx";

/**
 * A button whose act cannot be undone: it asks first, naming the thing. `act` gives the refusal, or null when it is done.
 * The browser's own dialog keeps the focus inside, closes on Escape and gives the focus back.
 */
export function Confirm({
  label,
  title,
  action,
  act,
  done,
  children,
}: {
  /** The button that asks. */
  label: string;
  title: string;
  /** The button that does it, naming the thing. */
  action: string;
  act: () => Promise<Refusal | null>;
  /** Called when it is done and the dialog is closed; for the focus, when the button that asked goes away with it. */
  done?: () => void;
  /** What happens, and what does not come back. */
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const ready = useReady();
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  function open() {
    setRefusal(null);
    dialog.current?.showModal();
  }

  async function confirm() {
    if (pending) return;
    setPending(true);
    const refused = await act();
    setPending(false);
    setRefusal(refused);
    if (refused) return;
    dialog.current?.close();
    done?.();
  }

  return (
    <>
      <button type="button" disabled={!ready} onClick={open} className="button">
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={heading} className="dialog">
        <h2 id={heading} className="font-semibold text-21">
          {title}
        </h2>
        <div className="mt-2 space-y-2">{children}</div>
        {refusal ? (
          <div className="mt-4">
            <RefusalNote refusal={refusal} />
          </div>
        ) : null}
        <div className="mt-6 flex flex-wrap items-center gap-3">
          <button type="button" onClick={() => dialog.current?.close()} className="button">
            Cancel
          </button>
          <button type="button" aria-disabled={pending || undefined} onClick={confirm} className="button button-danger">
            {action}
          </button>
          <span role="status" className="text-13 text-muted">
            {pending ? "Sending…" : ""}
          </span>
        </div>
      </dialog>
    </>
  );
}
