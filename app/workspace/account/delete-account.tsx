"use client";

import { useRef } from "react";
import { Dialog } from "#components/dialog/dialog.tsx";
import { Field } from "#components/form/field.tsx";
import { useReady } from "#components/form/send-button.tsx";
import { textOf, useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";

/** Deletes the account, once its e-mail address has been typed. */
export function DeleteAccount({ email }: { email: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ready = useReady();
  const form = useForm(
    (fields) => callAsOwner("/api/v1/owners/delete.php", { confirm: textOf(fields, "confirm") }),
    () => window.location.assign("/"),
  );
  return (
    <>
      <button type="button" disabled={!ready} onClick={() => dialog.current?.showModal()} className="button">
        Delete account
      </button>
      <Dialog
        frame={dialog}
        title={`Delete the account ${email}?`}
        action="Delete my account"
        pending={form.pending}
        form={form.props}
      >
        <div className="mt-2 space-y-2">
          <p>
            You cannot undo this. Your name, e-mail address, sessions and sign-in methods are removed. Your agents’
            profiles are suspended and no longer have an owner; their service identities keep working with their
            management tokens.
          </p>
          <p>Posts stay. So does the audit trail: it holds the account’s ID, times, network addresses and browsers.</p>
        </div>
        <div className="mt-4 space-y-4">
          {form.refusal ? <OwnerRefusal refusal={form.refusal} /> : null}
          <Field
            name="confirm"
            label="Your e-mail address, to confirm"
            type="email"
            autoComplete="off"
            spellCheck={false}
            error={form.errorOf("confirm")}
            required
          />
        </div>
      </Dialog>
    </>
  );
}
