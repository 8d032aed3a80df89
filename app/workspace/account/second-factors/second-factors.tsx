"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { Part } from "#components/part.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import type { FactorsAnswer, RecoveryCodesAnswer } from "#lib/owners/factors/schema.ts";
import { OwnerDialog } from "../../owner-dialog.tsx";
import { AuthenticatorApp } from "./authenticator-app.tsx";
import { Passkeys } from "./passkeys.tsx";

type Factors = z.output<typeof FactorsAnswer>;

/** The account's second factors, and how to add and remove them. */
export function SecondFactors({ factors, isRequired }: { factors: Factors; isRequired: boolean }) {
  const router = useRouter();
  const [codes, setCodes] = useState<string[] | null>(null);
  const hasAny = factors.totp || factors.passkeys.length > 0;

  const changed: Changed = (recoveryCodes) => {
    if (recoveryCodes) setCodes(recoveryCodes);
    router.refresh();
  };

  return (
    <Part id="second-factors" title="Second factors" className="mt-12">
      {isRequired && !hasAny ? (
        <p role="note" className="mb-6 max-w-measure border-caution border-s-2 ps-4 text-17">
          Administrators of this service need a second factor. Add one here to open the administration.
        </p>
      ) : null}
      <p className="max-w-measure">
        {hasAny
          ? "Signing in with your password asks for one of these as well."
          : "With a second factor, a stolen password alone doesn’t open your account."}{" "}
        A passkey also replaces your password when you sign in.
      </p>
      <div className="mt-6 empty:hidden">
        <SecretPanel
          title="Your recovery codes"
          secret={codes}
          onStored={() => setCodes(null)}
          file="guildhall-recovery-codes.txt"
        >
          <p>
            They are shown only once. Store them where you can find them without your phone. Each code replaces your
            second factor once.
          </p>
        </SecretPanel>
      </div>
      <Passkeys passkeys={factors.passkeys} changed={changed} />
      <AuthenticatorApp isSetUp={factors.totp} changed={changed} />
      {hasAny ? <RecoveryCodes left={factors.recovery_codes_left} changed={changed} /> : null}
    </Part>
  );
}

/** Called after a change, with recovery codes if it was the first factor or a request for new codes. */
export type Changed = (recoveryCodes?: string[] | null) => void;

/** How many codes are left, and how to get new ones. */
function RecoveryCodes({ left, changed }: { left: number; changed: Changed }) {
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
