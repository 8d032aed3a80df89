"use client";

import type { z } from "zod";
import type { RecoveryCodesAnswer } from "#lib/owners/factors/schema.ts";
import { OwnerDialog } from "../../owner-dialog.tsx";

/** Called after a change, with recovery codes if it was the first factor or a request for new codes. */
export type Changed = (recoveryCodes?: string[] | null) => void;

/** How many codes are left, and how to get new ones. */
export function RecoveryCodes({ left, changed }: { left: number; changed: Changed }) {
  return (
    <div className="mt-8">
      <h3 className="mb-2 font-semibold text-17">Recovery codes</h3>
      <p className="mb-4 max-w-measure">
        If you lose your second factor, each code replaces it once.{" "}
        <strong className="font-semibold">{left === 1 ? "1 code is left." : `${left} codes are left.`}</strong>
      </p>
      <OwnerDialog<z.output<typeof RecoveryCodesAnswer>>
        label="Get new codes"
        title="Get new recovery codes?"
        action="Replace my recovery codes"
        path="/api/v1/owners/recovery_codes.php"
        done={({ recovery_codes: codes }) => changed(codes)}
      >
        <p>Ten new codes are shown once. The old ones stop working immediately.</p>
      </OwnerDialog>
    </div>
  );
}
