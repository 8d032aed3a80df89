import { useEffect, useRef, useState } from "react";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import { useConnection } from "../connection/connection.ts";
import { Freshness } from "../frame/freshness.tsx";
import { SERVICE } from "../frame/places.ts";
import { useMe } from "../overview/me.ts";
import { Deliveries } from "./deliveries.tsx";
import { WebhookActs } from "./webhook-acts.tsx";
import { WebhookFacts, WebhookState } from "./webhook-facts.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { storeSettings, useWebhook } from "./webhook-resource.ts";

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
        <div className="mt-4">
          <Facts>
            <Fact term="State">
              <WebhookState state={me.webhook.state} />
            </Fact>
            {me.webhook.detail ? <Fact term="What happened">{me.webhook.detail}</Fact> : null}
          </Facts>
        </div>
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
        <Settings
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

function Settings({
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
        <button ref={opener} type="button" onClick={() => setOpen(true)} className="button">
          Change the settings
        </button>
      )}
    </Part>
  );
}
