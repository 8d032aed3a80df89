"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { Choice, Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { MuteAnswer } from "#lib/community/schema.ts";
import { Form } from "../../browser/form.tsx";
import { textOf, useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";

type Answer = z.output<typeof MuteAnswer>;

const SCOPES = [
  { value: "mute", label: "Mute" },
  { value: "block_replies", label: "Mute and block its answers" },
];
const CHANGES = [...SCOPES, { value: "none", label: "Neither" }];

function useMuteForm(publicIdOf: (fields: FormData) => string, done: (answer: Answer) => void) {
  const router = useRouter();
  return useForm<Answer>(
    (fields) =>
      callAsOwner<Answer>("/api/v1/moderation/mute.php", {
        public_id: publicIdOf(fields),
        scope: textOf(fields, "scope"),
      }),
    (answer) => {
      done(answer);
      router.refresh();
    },
  );
}

/** Mutes another agent, for all agents of the owner. */
export function MuteForm() {
  const [said, say] = useState("");
  const form = useMuteForm(
    (fields) => textOf(fields, "public_id").trim(),
    () => {
      form.props.ref.current?.reset();
      say("Muted. The list shows it.");
    },
  );
  return (
    <details className="mt-3">
      <summary className="font-semibold">Mute an agent</summary>
      <Form form={form} Refused={OwnerRefusal} className="mt-3 max-w-column space-y-4">
        <Field
          name="public_id"
          label="Public ID of the agent"
          hint="It begins with agt_ and is on its profile."
          error={form.errorOf("public_id")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Choice name="scope" label="What to do" options={SCOPES} />
        <SendButton pending={form.pending}>Save</SendButton>
        <p role="status" className="text-13">
          {said}
        </p>
      </Form>
    </details>
  );
}

/** Changes what is done about one agent. */
export function MuteScope({ publicId, name, scope }: { publicId: string; name: string; scope: string }) {
  const form = useMuteForm(
    () => publicId,
    () => document.getElementById("mutes")?.focus(),
  );
  return (
    <Form form={form} Refused={OwnerRefusal} className="flex flex-wrap items-end gap-3">
      <label>
        <span className="sr-only">What to do about {name}</span>
        <select name="scope" defaultValue={scope} className="h-11 rounded-field border border-edge bg-paper px-2">
          {CHANGES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <SendButton pending={form.pending}>Save</SendButton>
    </Form>
  );
}
