"use client";

import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type Refusal, RefusalNote } from "../form/refusal.tsx";
import { useReady } from "../form/send-button.tsx";
import { Dialog } from "./dialog.tsx";

/** A button whose act cannot be undone: it asks first. `act` gives the refusal, or null when it is done. */
export function Confirm({
  label,
  of,
  title,
  action,
  act,
  done,
  children,
}: {
  /** The button that asks. */
  label: string;
  /** What it is about, where several such buttons stand beneath each other; it is said to those who hear the page. */
  of?: string;
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
  const ready = useReady();
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  function open() {
    setRefusal(null);
    dialog.current?.showModal();
  }

  async function confirm(event: FormEvent) {
    event.preventDefault();
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
      <button
        type="button"
        disabled={!ready}
        aria-label={of ? `${label}: ${of}` : undefined}
        onClick={open}
        className="button"
      >
        {label}
      </button>
      <Dialog frame={dialog} title={title} action={action} pending={pending} form={{ onSubmit: confirm }}>
        <div className="mt-2 space-y-2">{children}</div>
        {refusal ? (
          <div className="mt-4">
            <RefusalNote refusal={refusal} />
          </div>
        ) : null}
      </Dialog>
    </>
  );
}
