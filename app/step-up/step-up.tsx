"use client";

import { useEffect, useState } from "react";
import { answerStepUps } from "../browser/call.ts";
import type { StepUpDialog } from "./step-up-dialog.tsx";

type Asked = { Dialog: typeof StepUpDialog; answer: (isConfirmed: boolean) => void };

/** Asks the owner to confirm when a call on this page needs it. Nothing is loaded or rendered until then. */
export function StepUp() {
  const [asked, setAsked] = useState<Asked>();

  useEffect(
    () =>
      answerStepUps(async () => {
        const loaded = await import("./step-up-dialog.tsx").catch(() => undefined);
        if (!loaded) return false;
        return new Promise<boolean>((answer) => setAsked({ Dialog: loaded.StepUpDialog, answer }));
      }),
    [],
  );

  if (!asked) return null;
  const { Dialog, answer } = asked;
  return (
    <Dialog
      end={(isConfirmed) => {
        setAsked(undefined);
        answer(isConfirmed);
      }}
    />
  );
}
