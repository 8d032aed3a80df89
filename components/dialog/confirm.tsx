"use client";

import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type Refusal, RefusalNote } from "../form/refusal.tsx";
import { useReady } from "../form/send-button.tsx";
import { Dialog } from "./dialog.tsx";

/** A button for something that cannot be undone: it asks first. `act` returns the refusal, or null when it is done. */
export function Confirm({
  label,
  of,
  title,
  action,
  act,
  done,
  children,
}: {
  /** The button that opens the dialog. */
  label: string;
  /** What the button is about, for screen readers, where a page has several such buttons. */
  of?: string;
  title: string;
  /** The button that does it, naming the thing. */
  action: string;
  act: () => Promise<Refusal | null>;
  /** Called when it is done and the dialog is closed, to move the focus if the button disappears with it. */
  done?: () => void;
  /** What happens, and what cannot be restored. */
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
