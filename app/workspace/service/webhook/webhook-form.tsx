import type { z } from "zod";
import type { SaveAnswer } from "#lib/record/webhooks/schema.ts";
import { StepForm } from "../frame/step-form.tsx";
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
  return (
    <StepForm<Saved>
      label="Webhook"
      path="agents/webhook.php"
      parts={[
        {
          name: "url",
          label: "URL",
          code: true,
          required: true,
          value: webhook?.url,
          input: { type: "url" },
          hint: `An https: URL on ${host}, the verified host of this service.`,
        },
        {
          name: "types",
          label: "Event types",
          as: "list",
          empty: [],
          code: true,
          value: webhook?.types.join(", "),
          hint: "Leave this empty for all events. Otherwise list types or prefixes, separated by commas: task.*, payment.confirmed",
        },
        { name: "enabled", label: "Deliver events", as: "tick", value: (webhook?.enabled ?? true) ? "yes" : "" },
      ]}
      action={webhook ? "Save settings" : "Set up the webhook"}
      primary
      beside={
        away ? (
          <button type="button" onClick={away} className="button">
            Not now
          </button>
        ) : null
      }
      done={done}
    />
  );
}
