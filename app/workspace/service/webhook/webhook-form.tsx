import type { z } from "zod";
import { Checkbox, Field } from "#components/form/field.tsx";
import type { Refusal } from "#components/form/refusal.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { SaveAnswer } from "#lib/record/webhooks/schema.ts";
import { Form } from "../../../browser/form.tsx";
import { textOf, useForm } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { useMe } from "../overview/me.ts";
import type { Settings } from "./webhook-resource.ts";

type Saved = z.output<typeof SaveAnswer>;

/** The form for a new webhook, or for a change of `webhook`. */
export function WebhookForm({
  webhook,
  done,
  away,
}: {
  webhook: Settings | null;
  done: (saved: Saved) => void;
  away?: (() => void) | undefined;
}) {
  const { body: me } = useMe();
  const host = me?.identity.domain ?? "your host";
  const form = useForm(
    (fields) =>
      write<Saved>("agents/webhook.php", {
        url: textOf(fields, "url").trim(),
        types: textOf(fields, "types")
          .split(/[\s,]+/)
          .filter(Boolean),
        enabled: fields.has("enabled"),
      }),
    done,
  );
  return (
    <Form form={form} label="Webhook">
      <Field
        name="url"
        label="URL"
        type="url"
        hint={`An https: URL on ${host}, the verified host of this service.`}
        defaultValue={webhook?.url}
        error={form.errorOf("url")}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        name="types"
        label="Event types"
        isOptional
        hint="Leave this empty for all events. Otherwise list types or prefixes, separated by commas: task.*, payment.confirmed"
        defaultValue={webhook?.types.join(", ")}
        error={typesError(form.refusal)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox name="enabled" label="Deliver events" defaultChecked={webhook?.enabled ?? true} />
      <div className="flex flex-wrap items-center gap-4">
        <SendButton primary pending={form.pending}>
          {webhook ? "Save settings" : "Set up the webhook"}
        </SendButton>
        {away ? (
          <button type="button" onClick={away} className="button">
            Not now
          </button>
        ) : null}
      </div>
    </Form>
  );
}

/** The API names the entry that is wrong: `types.1`. */
function typesError(refusal: Refusal | null): string | undefined {
  return Object.entries(refusal?.fieldErrors ?? {}).find(([path]) => /^types(\.|$)/.test(path))?.[1];
}
