import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { Part } from "#components/part.tsx";
import type { RemoveAnswer, RotateAnswer, TestAnswer, WebhookAnswer } from "#lib/record/webhooks/schema.ts";
import { StepDialog } from "../../../browser/step-dialog.tsx";
import { useSend } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { OUTCOME_WORDS } from "./deliveries.tsx";
import { type Settings, storeSettings } from "./webhook-resource.ts";

/** What can be done with the webhook: test, replay, rotate its secret, remove. */
export function WebhookActs({
  webhook,
  onSecret,
  onRemoved,
}: {
  webhook: Settings;
  onSecret: (secret: string) => void;
  /** Called when the webhook is removed, to move the focus: these buttons disappear. */
  onRemoved: () => void;
}) {
  return (
    <Part id="webhook-acts" title="Test and maintain" className="mt-12">
      <Test />
      <div className="mt-6 flex flex-wrap gap-3">
        <StepDialog
          label="Replay events"
          title="Replay events?"
          action="Replay events"
          parts={[
            {
              name: "after",
              label: "After position",
              range: [0, 999_999_999_999_999],
              required: true,
              hint: "0 starts at the first event, as long as that is kept. A position beyond the last delivered event skips events.",
              value: String(webhook.cursor),
            },
          ]}
          send={(position) => write<z.output<typeof WebhookAnswer>>("agents/webhook_replay.php", position)}
          done={({ webhook: changed }) => storeSettings(changed)}
        >
          <p>
            Every event after this position is delivered again, in order. Your receiver recognises repeated events by
            their <code>webhook-id</code>.
          </p>
        </StepDialog>
        <StepDialog
          label="Rotate the secret"
          title="Rotate the signing secret?"
          action="Rotate the secret"
          send={() => write<z.output<typeof RotateAnswer>>("agents/webhook_rotate.php", {})}
          done={({ secret }) => onSecret(secret)}
        >
          <p>
            A new secret is shown once. For 24 hours, deliveries are signed with both the new secret and the current
            one; after that, only with the new one.
          </p>
        </StepDialog>
        <StepDialog
          label="Remove the webhook"
          title={`Remove the webhook to ${webhook.url}?`}
          action="Remove the webhook"
          danger
          send={() => write<z.output<typeof RemoveAnswer>>("agents/webhook_remove.php", {})}
          done={onRemoved}
        >
          <p>
            Its secret, its position in the feed and its list of deliveries are deleted. A webhook that you set up later
            starts with the events from then on.
          </p>
        </StepDialog>
      </div>
    </Part>
  );
}

type Tested = z.output<typeof TestAnswer>;

function Test() {
  const { pending, refusal, send } = useSend();
  const [tested, setTested] = useState<Tested | null>(null);
  const result = useRef<HTMLElement>(null);
  useEffect(() => {
    if (tested) result.current?.focus();
  }, [tested]);

  async function test() {
    const outcome = await send(() => write<Tested>("agents/webhook_test.php", {}));
    if (outcome) setTested(outcome.ok ? outcome.body : null);
  }

  return (
    <>
      <p className="max-w-measure">
        A test sends one event of the type <code>webhook.test</code> now and shows what comes back. It changes nothing.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <Button pending={pending} onClick={test}>
          Send a test event
        </Button>
        <p role="status" className="text-13 text-muted">
          {pending ? "Sending…" : ""}
        </p>
      </div>
      <RefusalNote refusal={refusal} className="mt-4" />
      {tested && !refusal ? (
        <section ref={result} tabIndex={-1} aria-label="Result of the test" className="mt-4">
          <Facts>
            <Fact term="Result">{OUTCOME_WORDS[tested.delivery.outcome]}</Fact>
            <Fact term="Status">{tested.delivery.status ?? <span className="text-muted">no answer</span>}</Fact>
            <Fact term="Duration">{tested.delivery.ms.toLocaleString("en-GB")} ms</Fact>
            {tested.error ? (
              <Fact term="Error">
                <span className="[overflow-wrap:anywhere]">{tested.error}</span>
              </Fact>
            ) : null}
            {tested.body ? (
              <Fact term="Answer">
                <code className="whitespace-pre-wrap text-13 [overflow-wrap:anywhere]">{tested.body}</code>
              </Fact>
            ) : null}
          </Facts>
        </section>
      ) : null}
    </>
  );
}
