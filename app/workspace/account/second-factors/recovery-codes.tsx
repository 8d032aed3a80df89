"use client";

import type { z } from "zod";
import { Confirm } from "#components/dialog/confirm.tsx";
import type { RecoveryCodesAnswer } from "#lib/owners/factors/schema.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";

/** Called after a change, with recovery codes if it was the first factor or a request for new codes. */
export type Changed = (recoveryCodes?: string[] | null) => void;

/** How many codes are left, and how to get new ones. */
export function RecoveryCodes({ left, changed }: { left: number; changed: Changed }) {
  async function renew() {
    const outcome = await callAsOwner<z.output<typeof RecoveryCodesAnswer>>("/api/v1/owners/recovery_codes.php", {});
    if (!outcome.ok) return outcome.refusal;
    changed(outcome.body.recovery_codes);
    return null;
  }

  return (
    <div className="mt-8">
      <h3 className="mb-2 font-semibold text-17">Recovery codes</h3>
      <p className="mb-4 max-w-measure">
        If you lose your second factor, each code replaces it once.{" "}
        <strong className="font-semibold">{left === 1 ? "1 code is left." : `${left} codes are left.`}</strong>
      </p>
      <Confirm label="Get new codes" title="Get new recovery codes?" action="Replace my recovery codes" act={renew}>
        <p>Ten new codes are shown once. The old ones stop working immediately.</p>
      </Confirm>
    </div>
  );
}
