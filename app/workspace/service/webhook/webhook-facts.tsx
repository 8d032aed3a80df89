import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { StateShape, TONE_CLASS } from "#components/state-label/state-shape.tsx";
import type { Shape, Tone } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { Settings } from "./webhook-resource.ts";

const LOOKS: Record<Settings["state"], { word: string; shape: Shape; tone: Tone }> = {
  active: { word: "Active", shape: "disc", tone: "accent" },
  failing: { word: "Failing", shape: "half", tone: "caution" },
  disabled: { word: "Disabled", shape: "cross", tone: "muted" },
};

export function WebhookState({ state }: Pick<Settings, "state">) {
  const { word, shape, tone } = LOOKS[state];
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <StateShape shape={shape} className={TONE_CLASS[tone]} /> {word}
    </span>
  );
}

/** The webhook's settings and state. */
export function WebhookFacts({ webhook, host }: { webhook: Settings; host: string | undefined }) {
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
