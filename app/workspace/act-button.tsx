"use client";

import { useRouter } from "next/navigation";
import { useReady } from "#components/form/send-button.tsx";
import { useSend } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";

type Props = {
  /** What the button does, and to which entry of its list. */
  label: string;
  name: string;
  /** The call that ends it. */
  path: string;
  fields: Record<string, string>;
  /** ID of the list's heading. */
  list: string;
};

/** Ends one entry of a list of the account: a session, or the connection of a program. */
export function EndButton({ label, name, path, fields, list }: Props) {
  const router = useRouter();
  const ready = useReady();
  const { pending, refusal, send } = useSend();

  async function end() {
    const outcome = await send(() => callAsOwner(path, fields));
    // What has already ended leaves the list, too.
    if (!outcome?.ok && outcome?.refusal.code !== "not_found") return;
    // The button disappears with its entry, so the focus goes to the heading of the list.
    document.getElementById(list)?.focus();
    router.refresh();
  }

  return (
    <div className={refusal ? "min-w-0 space-y-2" : "shrink-0"}>
      <button
        type="button"
        disabled={!ready}
        aria-disabled={pending || undefined}
        aria-label={`${label}: ${name}`}
        onClick={end}
        className="button"
      >
        {label}
      </button>
      {refusal ? <OwnerRefusal refusal={refusal} /> : null}
    </div>
  );
}
