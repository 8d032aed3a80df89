import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import { StateShape, TONE_CLASS } from "#components/state-label/state-shape.tsx";
import type { Shape, Tone } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { SaveAnswer } from "#lib/record/webhooks/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { Freshness } from "../frame/freshness.tsx";
import { SERVICE } from "../frame/places.ts";
import { StepForm } from "../frame/step-form.tsx";
import { useMe } from "../overview/me.ts";
import { Deliveries } from "./deliveries.tsx";
import { WebhookActs } from "./webhook-acts.tsx";
import { type Settings, storeSettings, useWebhook } from "./webhook-resource.ts";

/** The identity's webhook: its settings, its state, what it can be told to do, and its newest deliveries. */
export function WebhookView() {
  const { door } = useConnection();
  return door === "session" ? <NeedsToken /> : <OwnWebhook />;
}

/** An owner sees how the webhook does. Their session does not reach its settings: its secret is the operator's. */
function NeedsToken() {
  const { body: me } = useMe();
  return (
    <Part id="webhook" title="Webhook" className="">
      <p className="mt-1 max-w-measure">
        A webhook sends the events of this service to the agent as they happen. Its settings and its signing secret need
        the agent’s management token: <Link href={`${SERVICE}/webhook`}>connect with the token</Link>.
      </p>
      {me?.webhook ? (
        <Facts className="mt-4">
          <Fact term="State">
            <WebhookState state={me.webhook.state} />
          </Fact>
          {me.webhook.detail ? <Fact term="What happened">{me.webhook.detail}</Fact> : null}
        </Facts>
      ) : null}
    </Part>
  );
}

function OwnWebhook() {
  const webhook = useWebhook();
  const { body: me } = useMe();
  const [secret, setSecret] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const settings = webhook.body?.webhook ?? null;
  const deliveries = webhook.body?.deliveries ?? [];
  return (
    <>
      <section aria-labelledby="webhook">
        <h2 ref={heading} id="webhook" tabIndex={-1} className="font-semibold text-21">
          Webhook
        </h2>
        <p className="mt-1 mb-3 max-w-measure">
          A webhook sends the events of this service to a URL on its own verified host, as they happen, in order and
          signed. It is optional: polling works without it.
        </p>
        <Freshness reading={webhook} />
        <SecretPanel title="Signing secret" secret={secret} onStored={() => setSecret(null)}>
          Your receiver verifies signatures with this secret. It is shown only once: store it where the receiver reads
          its secrets.
        </SecretPanel>
        {settings ? <WebhookFacts webhook={settings} host={me?.identity.domain ?? undefined} /> : null}
      </section>
      {webhook.body ? (
        <SettingsPart
          // Settings that were removed or replaced elsewhere start a new form.
          key={settings ? `${settings.url} ${settings.types.join(" ")} ${settings.enabled}` : "none"}
          webhook={settings}
          onSaved={({ webhook: saved, secret: shown }) => {
            storeSettings(saved);
            if (shown) setSecret(shown);
            else heading.current?.focus();
          }}
        />
      ) : null}
      {settings ? (
        <WebhookActs
          webhook={settings}
          onSecret={setSecret}
          onRemoved={() => {
            storeSettings(null);
            heading.current?.focus();
          }}
        />
      ) : null}
      {settings ? <Deliveries deliveries={deliveries} /> : null}
    </>
  );
}

function SettingsPart({
  webhook,
  onSaved,
}: {
  webhook: Parameters<typeof WebhookForm>[0]["webhook"];
  onSaved: Parameters<typeof WebhookForm>[0]["done"];
}) {
  const [isOpen, setOpen] = useState(webhook === null);
  const opener = useRef<HTMLButtonElement>(null);
  const isLeft = useRef(false);
  useEffect(() => {
    if (isLeft.current && !isOpen) opener.current?.focus();
    isLeft.current = false;
  }, [isOpen]);
  return (
    <Part id="webhook-settings" title={webhook ? "Settings" : "Set up a webhook"} className="mt-12">
      {isOpen ? (
        <WebhookForm
          webhook={webhook}
          done={(saved) => {
            setOpen(false);
            onSaved(saved);
          }}
          away={
            webhook
              ? () => {
                  isLeft.current = true;
                  setOpen(false);
                }
              : undefined
          }
        />
      ) : (
        <Button ref={opener} onClick={() => setOpen(true)}>
          Change the settings
        </Button>
      )}
    </Part>
  );
}

const LOOKS: Record<Settings["state"], { word: string; shape: Shape; tone: Tone }> = {
  active: { word: "Active", shape: "disc", tone: "accent" },
  failing: { word: "Failing", shape: "half", tone: "caution" },
  disabled: { word: "Disabled", shape: "cross", tone: "muted" },
};

function WebhookState({ state }: Pick<Settings, "state">) {
  const { word, shape, tone } = LOOKS[state];
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <StateShape shape={shape} className={TONE_CLASS[tone]} /> {word}
    </span>
  );
}

/** The webhook's settings and state. */
function WebhookFacts({ webhook, host }: { webhook: Settings; host: string | undefined }) {
  return (
    <div className="mt-4">
      <Facts>
        <Fact term="State">
          <WebhookState state={webhook.state} />
          {webhook.failing_since ? (
            <>
              {" "}
              since <Timestamp at={webhook.failing_since} />
            </>
          ) : null}
        </Fact>
        <Fact term="URL">
          <span className="[overflow-wrap:anywhere]">{webhook.url}</span>
        </Fact>
        <Fact term="Event types">{webhook.types.length > 0 ? webhook.types.join(", ") : "All"}</Fact>
        <Fact term="Delivered up to">Position {webhook.cursor.toLocaleString("en-GB")}</Fact>
        {webhook.last_error ? (
          <Fact term="Last error">
            <span className="[overflow-wrap:anywhere]">{webhook.last_error}</span>
          </Fact>
        ) : null}
        {webhook.next_attempt_at ? <TimeFact term="Next attempt" at={webhook.next_attempt_at} /> : null}
      </Facts>
      {webhook.state === "disabled" ? (
        <p className="mt-3 max-w-measure">
          Nothing is delivered. Fix what failed{host ? ` on ${host}` : ""}, then enable the webhook in its settings. It
          continues where it stopped, so no event is lost.
        </p>
      ) : null}
    </div>
  );
}

type Saved = z.output<typeof SaveAnswer>;

/** The form for a new webhook, or for a change of `webhook`. */
function WebhookForm({
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
      before={away ? <Button onClick={away}>Not now</Button> : null}
      done={done}
    />
  );
}
