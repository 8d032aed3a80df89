"use client";

import { useRouter } from "next/navigation";
import { Confirm } from "#components/dialog/confirm.tsx";
import { useReady } from "#components/form/send-button.tsx";
import { useSend } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";

/** Ends one session of the account, on another device. */
export function EndSession({ sessionId, device }: { sessionId: string; device: string }) {
  const router = useRouter();
  const ready = useReady();
  const { pending, refusal, send } = useSend();

  async function end() {
    const outcome = await send(() => callAsOwner("/api/v1/owners/end_session.php", { session_id: sessionId }));
    // A session that has already ended leaves the list as well.
    if (!outcome?.ok && outcome?.refusal.code !== "not_found") return;
    // The button disappears with its session, so the focus goes to the heading of the list.
    document.getElementById("sessions")?.focus();
    router.refresh();
  }

  return (
    <div className={refusal ? "min-w-0 space-y-2" : "shrink-0"}>
      <button
        type="button"
        disabled={!ready}
        aria-disabled={pending || undefined}
        aria-label={`End session: ${device}`}
        onClick={end}
        className="button"
      >
        End session
      </button>
      {refusal ? <OwnerRefusal refusal={refusal} /> : null}
    </div>
  );
}

/** Ends all sessions of the account, after a confirmation. */
export function SignOutEverywhere() {
  async function leave() {
    const outcome = await callAsOwner("/api/v1/owners/sign_out_everywhere.php", {});
    if (!outcome.ok) return outcome.refusal;
    window.location.assign("/sign-in");
    return null;
  }

  return (
    <Confirm label="Sign out everywhere" title="Sign out everywhere?" action="End all of my sessions" act={leave}>
      <p>All sessions end, including this one. You will have to sign in again on every device.</p>
    </Confirm>
  );
}
