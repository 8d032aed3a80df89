"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Choice, Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { Form } from "../../../browser/form.tsx";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../../owner-refusal.tsx";

const FORMATS = [
  { value: "slack", label: "Slack and compatible" },
  { value: "ntfy", label: "ntfy" },
  { value: "json", label: "Plain JSON" },
];

/** Sets up the outgoing hook. */
export function HookForm({ replaces }: { replaces: boolean }) {
  const router = useRouter();
  const [done, setDone] = useState("");
  const form = useForm(
    (fields) => {
      setDone("");
      const input = { url: textOf(fields, "url"), format: textOf(fields, "format") };
      return callAsOwner("/api/v1/owners/notification_hook.php", input);
    },
    () => {
      setDone("The hook is set up. Send it a test.");
      form.props.ref.current?.reset();
      router.refresh();
    },
  );
  return (
    <Form form={form} Refused={OwnerRefusal} label="Outgoing hook" className="mb-10 max-w-140 space-y-5">
      <Field
        name="url"
        label="Hook URL"
        type="text"
        masked
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        hint={`An https address that takes POST requests. It is a secret: it is not shown again.${replaces ? " It replaces your present hook." : ""}`}
        error={form.errorOf("url")}
        required
      />
      <Choice name="format" label="Format" options={FORMATS} error={form.errorOf("format")} />
      <SendButton pending={form.pending}>{replaces ? "Replace hook" : "Set up hook"}</SendButton>
      <p role="status">{done}</p>
    </Form>
  );
}
