"use client";

import { Confirm } from "#components/dialog/confirm.tsx";
import { callAsOwner } from "../../step-up/call-as-owner.ts";

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
