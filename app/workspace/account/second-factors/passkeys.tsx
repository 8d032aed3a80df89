"use client";

import type { z } from "zod";
import type { Refusal } from "#components/form/refusal.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import type { Passkey, PasskeyAddAnswer } from "#lib/owners/factors/schema.ts";
import { DescribedForm } from "../../../browser/described-form.tsx";
import { makePasskey } from "../../../browser/passkeys.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";
import { OwnerDialog } from "../../owner-dialog.tsx";
import { OwnerRefusal } from "../../owner-refusal.tsx";
import type { Changed } from "./recovery-codes.tsx";

type PasskeyFacts = z.output<typeof Passkey>;

export function Passkeys({ passkeys, changed }: { passkeys: readonly PasskeyFacts[]; changed: Changed }) {
  return (
    <div className="mt-6">
      <h3 id="passkeys" tabIndex={-1} className="mb-2 font-semibold text-17">
        Passkeys
      </h3>
      {passkeys.length > 0 ? (
        <ul className="mb-5 border-rule border-t">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.passkey_id} passkey={passkey} />
          ))}
        </ul>
      ) : (
        <p className="mb-4 max-w-measure">
          A passkey stays on your device or in your password manager. You use it with your fingerprint, face or screen
          lock.
        </p>
      )}
      <AddPasskey changed={changed} />
    </div>
  );
}

function PasskeyRow({ passkey }: { passkey: PasskeyFacts }) {
  const { name, passkey_id: id, created_at: createdAt, last_used_at: lastUsedAt, backed_up: isBackedUp } = passkey;

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-rule border-b py-2 sm:flex-nowrap">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{name}</p>
        <p className="text-13 text-muted">
          added <Timestamp at={createdAt} form="moment" />,{" "}
          <WordsWithTime words="last used" at={lastUsedAt} none="not used yet" />
          {isBackedUp ? ", on several devices" : null}
        </p>
      </div>
      <OwnerDialog
        label="Remove"
        of={name}
        title={`Remove the passkey ${name}?`}
        action="Remove the passkey"
        path="/api/v1/owners/passkey_remove.php"
        fields={{ passkey_id: id }}
        focus="passkeys"
      >
        <p>You can no longer sign in with it. If it is your last second factor, your recovery codes are deleted too.</p>
      </OwnerDialog>
    </li>
  );
}

function AddPasskey({ changed }: { changed: Changed }) {
  return (
    <DescribedForm<z.output<typeof PasskeyAddAnswer>>
      className="max-w-96 space-y-4"
      Refused={PasskeyRefusal}
      parts={[
        {
          name: "name",
          label: "Name of the new passkey",
          hint: "Such as “Phone”. If you leave it empty, it is named after this browser.",
        },
      ]}
      action="Add a passkey"
      clears
      said="The passkey was added."
      send={async (named) => {
        const begun = await callAsOwner<{ options: object }>("/api/v1/owners/passkey_options.php", {});
        if (!begun.ok) return begun;
        const made = await makePasskey(begun.body.options);
        return made.ok ? callAsOwner("/api/v1/owners/passkey_add.php", { passkey: made.body, ...named }) : made;
      }}
      done={({ recovery_codes: codes }) => changed(codes)}
    />
  );
}

/** What is wrong with the passkey has no field to stand beside. */
function PasskeyRefusal({ refusal }: { refusal: Refusal }) {
  return <OwnerRefusal refusal={{ ...refusal, message: refusal.fieldErrors.passkey ?? refusal.message }} />;
}
