"use client";

import { useState } from "react";
import { Button } from "#components/button.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { useReady } from "#components/form/send-button.tsx";
import { signOut } from "../browser/sign-in.ts";

/** Ends this session and leaves the workspace. */
export function SignOut() {
  const ready = useReady();
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function leave() {
    const outcome = await signOut();
    if (outcome.ok) window.location.assign("/");
    else setRefusal(outcome.refusal);
  }

  return (
    <>
      <Button disabled={!ready} onClick={leave}>
        Sign out
      </Button>
      <RefusalNote refusal={refusal} className="mt-3" />
    </>
  );
}
