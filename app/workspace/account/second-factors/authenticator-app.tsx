"use client";

import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { Copyable } from "#components/copyable.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { TotpBeginAnswer, TotpConfirmAnswer } from "#lib/owners/factors/schema.ts";
import { useForm } from "../../../browser/use-form.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";
import { OwnerDialog } from "../../owner-dialog.tsx";
import { OwnerForm } from "../../owner-form.tsx";
import { OwnerRefusal } from "../../owner-refusal.tsx";
import type { Changed } from "./recovery-codes.tsx";

const MODULE_PIXELS = 4;

type Begun = z.output<typeof TotpBeginAnswer>;

export function AuthenticatorApp({ isSetUp, changed }: { isSetUp: boolean; changed: Changed }) {
  return (
    <div className="mt-8">
      <h3 id="authenticator-app" tabIndex={-1} className="mb-2 font-semibold text-17">
        Authenticator app
      </h3>
      {isSetUp ? <Removal /> : <SetUp changed={changed} />}
    </div>
  );
}

/** The pressed button disappears, so the focus moves to the section's heading. */
function focusHeading(): void {
  document.getElementById("authenticator-app")?.focus();
}

function Removal() {
  return (
    <>
      <p className="mb-4">An authenticator app is set up.</p>
      <OwnerDialog
        label="Remove authenticator app"
        title="Remove the authenticator app?"
        action="Remove the authenticator app"
        path="/api/v1/owners/totp_remove.php"
        focus="authenticator-app"
      >
        <p>Its codes stop working. If it is your last second factor, your recovery codes are deleted too.</p>
      </OwnerDialog>
    </>
  );
}

function SetUp({ changed }: { changed: Changed }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const begin = useForm(() => callAsOwner<Begun>("/api/v1/owners/totp_begin.php", {}), setBegun);

  if (begun) {
    return (
      <Scan
        begun={begun}
        changed={(codes) => {
          setBegun(null);
          changed(codes);
          // New recovery codes take the focus themselves.
          if (!codes) focusHeading();
        }}
        cancel={() => {
          setBegun(null);
          focusHeading();
        }}
      />
    );
  }
  return (
    <form {...begin.props} className="space-y-4">
      {begin.refusal ? <OwnerRefusal refusal={begin.refusal} /> : null}
      <p className="max-w-measure">An app on your phone or computer shows a new code every 30 seconds.</p>
      <SendButton pending={begin.pending}>Set up an authenticator app</SendButton>
    </form>
  );
}

/** The secret to scan or type, and the field for the first code. */
function Scan({ begun, changed, cancel }: { begun: Begun; changed: Changed; cancel: () => void }) {
  const top = useRef<HTMLElement>(null);
  const { modules, path } = begun.qr_code;
  // This replaces the button that was pressed.
  useEffect(() => top.current?.focus(), []);

  return (
    <section ref={top} tabIndex={-1} aria-label="Set up an authenticator app" className="space-y-5">
      <div>
        <p className="mb-3 max-w-measure">
          1. Scan this QR code with your authenticator app, or type the secret into it.
        </p>
        <svg
          viewBox={`0 0 ${modules} ${modules}`}
          role="img"
          aria-label="QR code with the secret"
          shapeRendering="crispEdges"
          // Whole pixels for each module, so that none is thinner than another.
          width={modules * MODULE_PIXELS}
          height={modules * MODULE_PIXELS}
          className="h-auto max-w-full border border-rule"
        >
          <rect width={modules} height={modules} fill="#fff" />
          <path d={path} fill="#000" />
        </svg>
        <p className="mt-3">
          Secret: <Copyable value={inGroups(begun.secret)} label="secret" whole />
        </p>
      </div>
      <OwnerForm<z.output<typeof TotpConfirmAnswer>>
        className="max-w-96 space-y-4"
        path="/api/v1/owners/totp_confirm.php"
        parts={[
          () => <p>2. Enter the code that the app shows.</p>,
          {
            name: "code",
            label: "Code",
            hint: "6 digits.",
            required: true,
            input: { inputMode: "numeric", autoComplete: "one-time-code" },
          },
        ]}
        action="Finish"
        primary
        before={<Button onClick={cancel}>Not now</Button>}
        done={({ recovery_codes: codes }) => changed(codes)}
      />
    </section>
  );
}

/** Easier to type; apps skip the spaces. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret;
}
