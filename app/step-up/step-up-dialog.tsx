"use client";

import { useEffect, useId, useRef, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { Button } from "#components/button.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { call } from "../browser/call.ts";
import { ConfirmForm } from "./confirm-form.tsx";
import type { Way } from "./proof-form.tsx";

type Found = { ways: readonly Way[] } | { refusal: Refusal };

/** Asks the owner to confirm, above whatever page this is. False when the owner declines, or the dialog fails. */
export async function askOwner(): Promise<boolean> {
  // A tree of its own: few pages ever need the dialog, so no page's tree has a place for it.
  const place = document.body.appendChild(document.createElement("div"));
  let root: Root | undefined;
  try {
    return await new Promise<boolean>((answer) => {
      root = createRoot(place, { onUncaughtError: () => answer(false) });
      root.render(<StepUpDialog end={answer} />);
    });
  } finally {
    root?.unmount();
    place.remove();
  }
}

/** `end` gets whether the owner confirmed. */
function StepUpDialog({ end }: { end: (isConfirmed: boolean) => void }) {
  const heading = useId();
  const frame = useRef<HTMLDialogElement>(null);
  const isConfirmed = useRef(false);
  const [found, setFound] = useState<Found>();

  useEffect(() => {
    let isGone = false;
    void call<{ confirm_with: Way[] }>("/api/v1/owners/factors.php").then((outcome) => {
      if (!isGone) setFound(outcome.ok ? { ways: outcome.body.confirm_with } : { refusal: outcome.refusal });
    });
    return () => {
      isGone = true;
    };
  }, []);

  // Opened once the form is in it, so that the first field gets the focus.
  useEffect(() => {
    if (found) frame.current?.showModal();
  }, [found]);

  // Closing the dialog returns the focus.
  function confirm() {
    isConfirmed.current = true;
    frame.current?.close();
  }

  if (!found) return null;
  const notNow = <Button onClick={() => frame.current?.close()}>Not now</Button>;
  return (
    <dialog ref={frame} aria-labelledby={heading} className="dialog" onClose={() => end(isConfirmed.current)}>
      <h2 id={heading} className="font-semibold text-21">
        Confirm that it is you
      </h2>
      <p className="mt-2 mb-4">You are about to change something that protects your account or your agents.</p>
      {"ways" in found ? (
        <ConfirmForm ways={found.ways} done={confirm} returnTo={window.location.pathname}>
          {notNow}
        </ConfirmForm>
      ) : (
        <div className="space-y-4">
          <RefusalNote refusal={found.refusal} />
          {notNow}
        </div>
      )}
    </dialog>
  );
}
