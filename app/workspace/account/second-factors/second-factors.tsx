"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { Part } from "#components/part.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import type { FactorsAnswer } from "#lib/owners/factors/schema.ts";
import { AuthenticatorApp } from "./authenticator-app.tsx";
import { Passkeys } from "./passkeys.tsx";
import { type Changed, RecoveryCodes } from "./recovery-codes.tsx";

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
