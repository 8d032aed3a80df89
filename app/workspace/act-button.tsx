"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/button.tsx";
import { useReady } from "#components/form/send-button.tsx";
import type { Outcome } from "../browser/call.ts";
import { useSend } from "../browser/use-form.ts";
import { callAsOwner } from "../step-up/call-as-owner.ts";
import { OwnerRefusal } from "./owner-refusal.tsx";

type ActProps<Body> = {
  label: string;
  /** What the button is about, for screen readers, where a page has several such buttons. */
  name?: string;
  /** Looks like a link, among links. */
  quiet?: boolean;
  act: () => Promise<Outcome<Body>>;
  /** Called when it is done; returns what to say then. */
  done: (body: Body) => string | undefined;
};

/** A button that acts at once, and says beneath what came of it. */
export function ActButton<Body>({ label, name, quiet = false, act, done }: ActProps<Body>) {
  const router = useRouter();
  const ready = useReady();
  const { pending, refusal, send } = useSend();
  const [said, setSaid] = useState("");

  async function press() {
    setSaid("");
    const outcome = await send(act);
    if (!outcome?.ok) return;
    setSaid(done(outcome.body) ?? "");
    router.refresh();
  }

  return (
    <div className={refusal ? "min-w-0 space-y-2" : "shrink-0"}>
      <Button
        disabled={!ready}
        pending={pending}
        aria-label={name ? `${label}: ${name}` : undefined}
        onClick={press}
        look={quiet ? "link" : "plain"}
      >
        {label}
      </Button>
      {refusal ? <OwnerRefusal refusal={refusal} /> : null}
      <p role="status" className="max-w-80 text-13 text-muted not-empty:mt-1">
        {said}
      </p>
    </div>
  );
}

/** Acts on one entry of a list, such as ending a session. The focus goes to the list's heading, because the button may disappear. */
export function EntryButton({
  path,
  fields,
  list,
  ...shown
}: Pick<ActProps<object>, "label" | "quiet"> & {
  name: string;
  path: string;
  fields: Record<string, string>;
  /** ID of the list's heading. */
  list: string;
}) {
  return (
    <ActButton
      {...shown}
      act={async () => {
        const outcome = await callAsOwner<object>(path, fields);
        // What has already ended leaves the list, too.
        return !outcome.ok && outcome.refusal.code === "not_found" ? { ok: true, body: {} } : outcome;
      }}
      done={() => {
        document.getElementById(list)?.focus();
        return undefined;
      }}
    />
  );
}
