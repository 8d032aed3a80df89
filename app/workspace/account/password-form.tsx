"use client";

import type { z } from "zod";
import type { RevokedAnswer } from "#lib/owners/schema.ts";
import type { FormPart } from "../../browser/form-fields.tsx";
import { OwnerForm } from "../owner-form.tsx";

const FIELDS: readonly FormPart[] = [
  {
    name: "current_password",
    label: "Current password",
    as: "verbatim",
    required: true,
    input: { type: "password", autoComplete: "current-password" },
  },
  {
    name: "new_password",
    label: "New password",
    as: "verbatim",
    required: true,
    hint: "At least 12 characters (15 for administrators), hard to guess, and without your name or e-mail address. Your other sessions end when you change it.",
    input: { type: "password", autoComplete: "new-password" },
  },
];

function doneWords(revoked: number): string {
  if (revoked === 0) return "Your password is changed.";
  return `Your password is changed, and ${revoked === 1 ? "your other session has" : `your ${revoked} other sessions have`} ended.`;
}

/** Changes the password. It needs the current one. */
export function PasswordForm({ email }: { email: string }) {
  // Tells password managers which account this is.
  const account = () => <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />;
  return (
    <OwnerForm<z.output<typeof RevokedAnswer>>
      className="max-w-96 space-y-5"
      path="/api/v1/owners/password.php"
      parts={[account, ...FIELDS]}
      action="Change password"
      primary
      clears
      said={({ revoked_sessions: revoked }) => doneWords(revoked)}
    />
  );
}
