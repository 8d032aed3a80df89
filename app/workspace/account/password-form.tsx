"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { RevokedAnswer } from "#lib/owners/schema.ts";
import { Form } from "../../browser/form.tsx";
import { textOf, useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";

function doneWords(revoked: number): string {
  if (revoked === 0) return "Your password is changed.";
  return `Your password is changed, and ${revoked === 1 ? "your other session has" : `your ${revoked} other sessions have`} ended.`;
}

/** Changes the password. It needs the current one. */
export function PasswordForm({ email }: { email: string }) {
  const router = useRouter();
  const [done, setDone] = useState("");
  const form = useForm(
    (fields) => {
      setDone("");
      return callAsOwner<z.output<typeof RevokedAnswer>>("/api/v1/owners/password.php", {
        current_password: textOf(fields, "current_password"),
        new_password: textOf(fields, "new_password"),
      });
    },
    (body) => {
      setDone(doneWords(body.revoked_sessions));
      form.props.ref.current?.reset();
      router.refresh();
    },
  );
  return (
    <Form form={form} Refused={OwnerRefusal} className="max-w-96 space-y-5">
      {/* Tells password managers which account this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        error={form.errorOf("current_password")}
        required
      />
      <Field
        name="new_password"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters (15 for administrators), hard to guess, and without your name or e-mail address. Your other sessions end when you change it."
        error={form.errorOf("new_password")}
        required
      />
      <SendButton primary pending={form.pending}>
        Change password
      </SendButton>
      <p role="status">{done}</p>
    </Form>
  );
}
