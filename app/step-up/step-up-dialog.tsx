"use client";

import { useEffect, useId, useRef, useState } from "react";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { answerStepUps } from "../browser/step-up.ts";
import { ConfirmForm, readWays } from "./confirm-form.tsx";
import type { Way } from "./proof-form.tsx";

type Asked = { ways: readonly Way[] } | { refusal: Refusal };

/** Asks the owner to confirm, whichever act of this page needs it. Nothing is drawn until then. */
export function StepUpDialog() {
  const heading = useId();
  const frame = useRef<HTMLDialogElement>(null);
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);
  const [asked, setAsked] = useState<Asked>();

  useEffect(
    () =>
      answerStepUps(async () => {
        const outcome = await readWays();
        setAsked(outcome.ok ? { ways: outcome.body.confirm_with } : { refusal: outcome.refusal });
        return new Promise((resolve) => {
          answer.current = resolve;
        });
      }),
    [],
  );

  useEffect(() => {
    if (asked) frame.current?.showModal();
  }, [asked]);

  function end(isConfirmed: boolean) {
    answer.current?.(isConfirmed);
    answer.current = undefined;
    frame.current?.close();
    setAsked(undefined);
  }

  if (!asked) return null;
  const notNow = (
    <button type="button" onClick={() => end(false)} className="button">
      Not now
    </button>
  );
  return (
    <dialog ref={frame} aria-labelledby={heading} className="dialog" onClose={() => end(false)}>
      <h2 id={heading} className="font-semibold text-21">
        Confirm that it is you
      </h2>
      <p className="mt-2 mb-4">You are about to change something that protects your account or your agents.</p>
      {"ways" in asked ? (
        <ConfirmForm ways={asked.ways} done={() => end(true)} returnTo={window.location.pathname}>
          {notNow}
        </ConfirmForm>
      ) : (
        <div className="space-y-4">
          <RefusalNote refusal={asked.refusal} />
          {notNow}
        </div>
      )}
    </dialog>
  );
}
