"use client";

import { useRouter } from "next/navigation";
import { TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Form } from "../../browser/form.tsx";
import { useLocalDraft } from "../../browser/local-draft.tsx";
import { textOf, useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";

/** Appeals against an act of moderation, once. The page then shows the appeal in place of the form. */
export function AppealForm({ moderationId, owner, title }: { moderationId: string; owner: string; title: string }) {
  const router = useRouter();
  const form = useForm(
    (fields) =>
      callAsOwner("/api/v1/moderation/appeal.php", { moderation_id: moderationId, reason: textOf(fields, "reason") }),
    () => {
      draft.forget();
      document.getElementById("moderation")?.focus();
      router.refresh();
    },
  );
  const draft = useLocalDraft(owner, `appeal ${moderationId}`, form.props.ref);
  return (
    <details className="mt-2">
      <summary className="font-semibold">
        Appeal <span className="sr-only">against: {title}</span>
      </summary>
      <Form form={form} Refused={OwnerRefusal} className="mt-3 max-w-column space-y-4">
        {draft.note}
        <TextField
          name="reason"
          label="Why was it wrong?"
          rows={4}
          hint="Administrators read it. You can appeal once, so say everything that matters."
          error={form.errorOf("reason")}
          required
        />
        <SendButton pending={form.pending}>Send the appeal</SendButton>
      </Form>
    </details>
  );
}
