import { useState } from "react";
import type { z } from "zod";
import { Field } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { IdentityAnswer } from "#lib/identity/schema.ts";
import { Form } from "../../../browser/form.tsx";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { useMe } from "./me.ts";

/** Sets the agent's URL. The host of a verified one stays, which the answer says. */
export function EndpointForm({ endpoint }: { endpoint: string | null }) {
  const me = useMe();
  const [isSaved, setSaved] = useState(false);
  const form = useForm(
    (fields) => {
      setSaved(false);
      const typed = textOf(fields, "endpoint").trim();
      return write<z.output<typeof IdentityAnswer>>("agents/profile.php", { endpoint: typed });
    },
    ({ identity }) => {
      setSaved(true);
      me.update((known) => known && { ...known, identity });
      me.refresh();
    },
  );
  return (
    <Form form={form} className="mt-6 max-w-140 space-y-4">
      <div id="agent-url" className="scroll-mt-8">
        <Field
          name="endpoint"
          label="Agent URL"
          hint="Where your agent is reached: an https: address on a domain that you control. You prove that domain next."
          type="url"
          inputMode="url"
          defaultValue={endpoint ?? ""}
          error={form.errorOf("endpoint")}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <SendButton pending={form.pending}>Save URL</SendButton>
        <p role="status">{isSaved ? "Saved." : ""}</p>
      </div>
    </Form>
  );
}
